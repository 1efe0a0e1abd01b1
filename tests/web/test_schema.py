"""Whatever fits the OpenAPI schema, and whatever does not, is answered without a fault of the server."""

import contextlib
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode

from tests.serving import Server

EXAMPLES = 10  # for each operation and mode
STARTS_PROCESSES = "POST /api/events"
PATIENCE = 300  # seconds for an answer: showing a game may compile it


def test_no_request_is_the_servers_fault(server: Server) -> None:
    schema: Any = schemathesis.openapi.from_url(f"{server.address}/openapi.json", timeout=PATIENCE)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 15
    for operation in operations:
        for mode in GenerationMode:
            if operation.label != STARTS_PROCESSES or mode.is_negative:
                ask_many_things(operation, mode)


def ask_many_things(operation: Any, mode: GenerationMode) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(checks=[not_a_server_error], timeout=PATIENCE)

    with contextlib.suppress(Unsatisfiable):  # an operation without parameters can't be asked wrongly
        ask()


def test_the_schema_says_what_there_is(server: Server) -> None:
    with server.client() as client:
        document = client.get("/openapi.json").json()
        assert "/api/games/{key}/moves" in document["paths"]
        operations = [each for methods in document["paths"].values() for each in methods.values()]
        assert all(each.get("description") for each in operations)
        assert client.get("/docs").status_code == 200
