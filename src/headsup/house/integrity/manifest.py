"""The program as a laboratory approved it: the digest of each of its files, signed with a key that
is theirs alone (N.J.A.C. 13:69O-1.5(c), (d)).

The list is as `headsup manifest` prints it. Its signature is Ed25519 over its bytes, as `openssl
pkeyutl -sign -rawin` makes it, in a file beside it that has `.sig` behind its name.
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
    """A list of files, and the public key (PEM) of who signs such lists for this house."""

    path: Path
    key: Path

    def files(self) -> dict[str, str]:
        """Digests by name, as they were signed; refused where they were not. Blocks."""
        text = _read(self.path)
        self._verify(text)
        lines = [_LINE.fullmatch(line) for line in text.decode("utf-8", "replace").splitlines()]
        found = {line[2]: line[1] for line in lines if line is not None}
        if not found or len(found) != len(lines):
            raise Refused(Code.BAD_MANIFEST, where=str(self.path))
        return found

    def signer(self) -> str:
        """The fingerprint of the key: the SHA-256 of its 32 bytes."""
        return sha256(self._public().public_bytes_raw()).hexdigest()

    def _verify(self, text: bytes) -> None:
        signature = self.path.with_name(f"{self.path.name}.sig")
        try:
            self._public().verify(_read(signature), text)
        except InvalidSignature:
            raise Refused(Code.BAD_MANIFEST, "signature", where=str(signature)) from None

    def _public(self) -> Ed25519PublicKey:
        pem = _read(self.key)
        try:
            found = load_pem_public_key(pem)
        except (ValueError, UnsupportedAlgorithm):
            pass
        else:
            if isinstance(found, Ed25519PublicKey):
                return found
        raise Refused(Code.BAD_MANIFEST, "key", where=str(self.key))


def _read(path: Path) -> bytes:
    try:
        if not S_ISREG(path.stat().st_mode):  # a pipe would be waited for
            raise OSError("it is not a file")
        with path.open("rb") as file:
            return file.read(_MAX_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=str(path), reason=reason) from None
