"""Replaces characters that a terminal's encoding does not have: ♥ is printed as h, × as x.

The replacements are registered with Python as error handlers of text streams.
"""

import codecs

STDOUT_ERRORS = "headsup-stand-in"
STDERR_ERRORS = "headsup-stand-in-or-escape"

# All but the last have the same width, so that columns stay in line.
_STAND_INS = {
    **dict(
        zip(
            "♣♦♥♠╭╮╰╯┌┐└┘─┄│░·–—›×…−≤≥●▶◂→←↑↓≈’▏▎▍▌▋▊▉█",
            "cdhs++++++++-.|#.-->x.-<>*><><^v~'...#####",
            strict=True,
        )
    ),
    "±": "+-",
}


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(_STAND_INS.get(char, "?") for char in bad), error.end


def _stand_in_or_escape(error: UnicodeError) -> tuple[str, int]:
    """Errors name what was typed, so an unknown character is escaped rather than lost."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    escaped = (_STAND_INS.get(char, char) for char in bad)
    return "".join(escaped).encode("ascii", "backslashreplace").decode(), error.end


codecs.register_error(STDOUT_ERRORS, _stand_in)
codecs.register_error(STDERR_ERRORS, _stand_in_or_escape)
