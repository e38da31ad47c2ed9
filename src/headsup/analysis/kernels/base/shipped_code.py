"""Finds the machine code that comes with the program, so that nobody waits for a compiler.

`headsup.tools.shipped_code` writes one sealed file for each kind of processor. Code is used only if
the modules it was compiled from are unchanged, so an edited kernel is compiled again.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from headsup.analysis.cache import DamagedFile, cache_warnings, seal, unseal
from headsup.analysis.kernels.base.object_code import ObjectCode, host_features, process_triple

KERNELS = Path(__file__).parents[1]
SHIPPED_FOLDER = KERNELS / "shipped"
# What a processor must have for the third level of x86-64 (psABI), which most since 2013 do.
X86_64_V3 = frozenset(["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"])


@dataclass(frozen=True)
class ShippedCode:
    """The content of one file."""

    sources: Mapping[str, str]  # [module]: the hash of its source when it was compiled
    uses: Mapping[str, list[str]]  # [module with entries]: all modules that its code depends on
    entries: Mapping[str, list[Any]]  # [name and types]: symbol, offset and length
    code: bytes

    def serialise(self) -> bytes:
        head = {"sources": self.sources, "uses": self.uses, "entries": self.entries}
        content = json.dumps(head, sort_keys=True, separators=(",", ":")).encode()
        return zlib.compress(content + b"\n" + self.code, 9)

    @classmethod
    def parse(cls, content: memoryview) -> "ShippedCode":
        head, _, code = zlib.decompress(content).partition(b"\n")
        return cls(**json.loads(head), code=code)

    def find(self, name: str, types: str) -> ObjectCode | None:
        entry = self.entries.get(f"{name}({types})")
        if entry is None or self.changed_modules(self.uses[name.rpartition(".")[0]]):
            return None
        symbol, offset, length = entry
        return ObjectCode(symbol, self.code[offset : offset + length])

    def changed_modules(self, modules: Iterable[str]) -> list[str]:
        """Those of these modules that are not as they were compiled."""
        return [name for name in modules if module_hash(name) != self.sources.get(name)]


@cache
def module_hash(module: str) -> str | None:
    """A hash of a module's source, or None if it is not there."""
    try:
        source = KERNELS.joinpath(*module.split(".")).with_suffix(".py").read_bytes()
    except OSError:
        return None
    return hashlib.sha256(source).hexdigest()[:16]


def shipped_file() -> Path | None:
    """The file for this processor and operating system, if one is shipped."""
    architecture, _, system = process_triple().partition("-")
    if "linux" not in system:
        return None
    if architecture == "x86_64" and host_features() >= X86_64_V3:
        architecture = "x86_64_v3"
    path = SHIPPED_FOLDER / f"linux-{architecture}.code"
    return path if path.is_file() else None


def read_shipped_code(path: Path) -> ShippedCode:
    return ShippedCode.parse(unseal(path, path.read_bytes()))


@cache
def shipped_code() -> ShippedCode | None:
    """The code for this processor, if it is shipped and undamaged."""
    path = shipped_file()
    try:
        return read_shipped_code(path) if path else None
    except (DamagedFile, OSError) as error:
        cache_warnings.warn(f"ignoring {path} ({error}); reinstall headsup to repair it")
        return None


def find_shipped_code(name: str, types: str) -> ObjectCode | None:
    """The code of the entry of this name for arguments of these types."""
    shipped = shipped_code()
    return shipped.find(name, types) if shipped else None


def write_shipped_code(path: Path, shipped: ShippedCode) -> None:
    path.write_bytes(seal(path, shipped.serialise()))
