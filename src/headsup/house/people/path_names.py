"""Names that stand in addresses, as of a table or a person: one part of a path each."""


def is_path_part(name: str) -> bool:
    """A slash divides a path, and its parts "." and ".." are folded away by whoever asks."""
    return "/" not in name and name not in (".", "..")
