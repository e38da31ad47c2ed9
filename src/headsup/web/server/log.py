"""The server's logger; `operations.configure_logs` sets its format."""

import structlog

log = structlog.get_logger("headsup")
