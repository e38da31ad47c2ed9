"""What the house tells those who run it; where the lines go is set up by the server."""

import structlog

log = structlog.get_logger("headsup.house")


def places(error: BaseException) -> str:
    """Where an error came from, by file and line: its own text may name cards or a password."""
    found, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " ".join(found[-8:])
