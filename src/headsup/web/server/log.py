"""The server's own log; `operations.configure_logs` says how its lines look."""

import structlog

log = structlog.get_logger("headsup")
