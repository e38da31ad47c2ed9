"""What a route needs, a permission or a rate, stands in its decorator."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from fastapi.routing import APIRoute

from headsup.web import api
from headsup.web.api.login import COMMAND_RATE, LOGIN_RATE, READ_RATE

GUARDS = re.compile(r"\b(require_permission|limit_commands|limit_reads|limit_login_attempts)\(")
# They cost little, or are bounded by something else: a ticket, a display's key, the solver's queue.
WITHOUT_A_RATE = {
    "POST /api/displays/lately",
    "POST /api/displays/pages/shown",
    "POST /api/displays/ticket",
    "POST /api/edges",
    "POST /api/logout",
    "POST /api/logout/everywhere",
    "POST /api/people/{name}/lock",
    "POST /api/tables/{table}/cards/preview",
    "POST /api/tables/{table}/deal/preview",
    "POST /api/tables/check",
    "POST /api/ticket",
}


def routes() -> dict[str, APIRoute]:
    found: dict[str, APIRoute] = {}
    for module in iter_modules(api.__path__):
        router = getattr(import_module(f"{api.__name__}.{module.name}"), "router", None)
        for route in getattr(router, "routes", ()):
            if isinstance(route, APIRoute):
                found |= {f"{method} {route.path}": route for method in route.methods or ()}
    return found


def test_no_route_checks_in_its_body_what_its_decorator_could_say() -> None:
    for module in iter_modules(api.__path__):
        path = Path(api.__path__[0]) / f"{module.name}.py"
        if module.name != "login":
            assert GUARDS.search(path.read_text(encoding="utf-8")) is None, path


def test_every_route_that_changes_something_has_a_rate() -> None:
    rates = {COMMAND_RATE.dependency, LOGIN_RATE.dependency, READ_RATE.dependency}
    posts = {name: route for name, route in routes().items() if not name.startswith("GET ")}
    assert len(posts) > 20
    without = {
        name
        for name, route in posts.items()
        if not rates & {dependency.dependency for dependency in route.dependencies}
    }
    assert without == WITHOUT_A_RATE
