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
        table = server.table()
        plan = {"values": {"quasi": ["age", "sex"], "k": 5}}
        job = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": plan})[2]["id"]
        server.wait(job)
        config = tmp_path / "schemathesis.toml"  # ids that there are, but for what deletes: made-up ones reach nothing but "there is no such table"
        config.write_text(
            "\n".join(
                f'[[operations]]\ninclude-path-regex = "^/api/{kind}/.id."\nexclude-method = "DELETE"\n'
                f'parameters = {{ "path.id" = "{id}", "path.column" = "age" }}\n'
                for kind, id in (("tables", table), ("jobs", job))
            )
        )
        command = [str(SCHEMATHESIS), "--config-file", str(config), "run", f"http://127.0.0.1:{server.port}/api/openapi.json", "-H", f"Authorization: Bearer {server.token}", "--max-examples", "100",  # noqa: E501
                   "--exclude-path", "/api/stop", "--checks", "not_a_server_error,status_code_conformance,content_type_conformance", "--seed", "1"]  # fmt: skip
        result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=900)
        assert result.returncode == 0, result.stdout[-4000:]
        assert server.ask("GET", "/api/tables")[0] == 200
    assert shutil.which("sh")
