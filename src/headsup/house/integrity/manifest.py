"""Reads a laboratory's signed list of the program's files (N.J.A.C. 13:69O-1.5(c), (d)).

The list is what `headsup manifest` prints. Its signature is in a file of the same name with `.sig`
appended: Ed25519 over the list's bytes, as made by `openssl pkeyutl -sign -rawin`.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from headsup.game.refusal import Code, Refused

_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)", re.ASCII)
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class SignedManifest:
    """A list of files, and the public key (PEM) of its signer."""

    path: Path
    key: Path

    def files(self) -> dict[str, str]:
        """Digests by file name; refuses a list without a valid signature. Blocks."""
        text = _read(self.path)
        self._verify(text)
        lines = [_LINE.fullmatch(line) for line in text.decode("utf-8", "replace").splitlines()]
        digests = {line[2]: line[1] for line in lines if line is not None}
        if not digests or len(digests) != len(lines):
            raise Refused(Code.BAD_MANIFEST, where=str(self.path))
        return digests

    def signer(self) -> str:
        """The fingerprint of the key: the SHA-256 of its 32 bytes."""
        return sha256(self._public_key().public_bytes_raw()).hexdigest()

    def _verify(self, text: bytes) -> None:
        signature = self.path.with_name(f"{self.path.name}.sig")
        try:
            self._public_key().verify(_read(signature), text)
        except InvalidSignature:
            raise Refused(Code.BAD_MANIFEST, "signature", where=str(signature)) from None

    def _public_key(self) -> Ed25519PublicKey:
        pem = _read(self.key)
        try:
            key = load_pem_public_key(pem)
        except (ValueError, UnsupportedAlgorithm):
            pass
        else:
            if isinstance(key, Ed25519PublicKey):
                return key
        raise Refused(Code.BAD_MANIFEST, "key", where=str(self.key))


def _read(path: Path) -> bytes:
    try:
        if not S_ISREG(path.stat().st_mode):  # opening a pipe would block
            raise OSError("it is not a file")
        with path.open("rb") as file:
            return file.read(_MAX_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=str(path), reason=reason) from None
