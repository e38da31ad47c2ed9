"""The strategy files that come with the program."""

from importlib import resources

SUFFIX = ".toml"
BEST = "best"  # names the solved strategy, which needs no file


def shipped_names() -> list[str]:
    folder = resources.files(__package__) / "shipped"
    return sorted(
        file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX)
    )


def shipped_text(name: str) -> str:
    file = resources.files(__package__) / "shipped" / f"{name}{SUFFIX}"
    return file.read_text(encoding="utf-8")
