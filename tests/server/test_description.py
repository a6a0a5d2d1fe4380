"""The interface keeps to its description: /api/openapi.json, tried with made-up requests."""

import shutil
import subprocess

import pytest

from conftest import ROOT
from served import Served

SCHEMATHESIS = ROOT / ".venv" / "bin" / "schemathesis"


def test_the_description_names_every_route():
    with Served() as server:
        described = server.ask("GET", "/api/openapi.json", token="")[2]
        assert described["openapi"].startswith("3.1") and len(described["paths"]) >= 18
        for path, operations in described["paths"].items():
            for method, operation in operations.items():
                assert operation["summary"] and operation["responses"], (method, path)
                filled = path.replace("{name}", "x.csv").replace("{id}", "x").replace("{column}", "x").replace("{ticket}", "x")
                if path != "/api/stop" and method != "put":
                    assert server.ask(method.upper(), filled, {})[0] not in (405, 500), path


@pytest.mark.slow
def test_made_up_requests_never_break_it(tmp_path):
    if not SCHEMATHESIS.exists():
        pytest.skip("schemathesis is not installed: scripts/setup browser")
    with Served("--demo") as server:
        command = [str(SCHEMATHESIS), "run", f"http://127.0.0.1:{server.port}/api/openapi.json", "-H", f"Authorization: Bearer {server.token}", "--max-examples", "100",  # noqa: E501
                   "--exclude-path", "/api/stop", "--checks", "not_a_server_error,status_code_conformance,content_type_conformance", "--seed", "1"]  # fmt: skip
        result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=900)
        assert result.returncode == 0, result.stdout[-4000:]
        assert server.ask("GET", "/api/tables")[0] == 200
    assert shutil.which("sh")
