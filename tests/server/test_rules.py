"""Who may ask the server anything, and what it does to those who may not: every rule of SECURITY.md."""

import contextlib
import os
import pathlib
import signal
import stat
import subprocess
import tempfile
import time

import pytest

from served import BINARY, Served

PLAN = {"values": {"quasi": ["age", "sex", "job"], "sensitive": ["diagnosis"], "label": ["readmitted"], "k": 5, "l": 2}}


@pytest.fixture(scope="module")
def served():
    with Served("--demo") as server:
        yield server


def test_only_the_page_itself_is_open_to_who_has_no_token(served):
    for path in ("/", "/assets/app.js", "/assets/app.css", "/api/openapi.json"):
        assert served.ask("GET", path, token="")[0] == 200, path
    for method, path in (("GET", "/api/tables"), ("GET", "/api/options"), ("POST", "/api/stop"), ("PUT", "/api/tables/x.csv"), ("GET", "/api/runs")):
        for token in ("", "0" * 64, served.token[:-1], served.token + "0", served.token.upper()):
            status, _, problem = served.ask(method, path, token=token, headers={"Authorization": f"Bearer {token}"})
            if token.lower() == served.token and token != served.token:
                assert status == 401
            assert status == 401 and problem["status"] == 401, (path, token)
    assert served.ask("GET", "/api/tables", headers={"Authorization": f"Basic {served.token}"})[0] == 401
    assert served.ask("GET", f"/api/tables?token={served.token}", token="")[0] == 401


def test_another_name_for_the_server_is_turned_away(served):
    for host in ("localhost", f"localhost:{served.port}", f"evil.example:{served.port}", "127.0.0.1", f"127.0.0.1:{served.port + 1}", f"127.0.0.1.:{served.port}", ""):  # noqa: E501
        assert served.ask("GET", "/api/tables", headers={"Host": host})[0] == 421, host
        assert served.ask("GET", "/", headers={"Host": host})[0] == 421, host
    two = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nHost: evil.example\r\n\r\n"
    assert b" 421 " in served.raw(two.encode()).split(b"\r\n")[0]
    assert b" 421 " in served.raw(b"GET / HTTP/1.1\r\n\r\n").split(b"\r\n")[0]
    whole = f"GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n"
    assert b" 400 " in served.raw(whole.encode()).split(b"\r\n")[0]


def test_pages_of_other_sites_are_turned_away(served):
    for origin in ("https://evil.example", "null", "http://127.0.0.1", f"http://localhost:{served.port}", f"https://127.0.0.1:{served.port}", ""):
        assert served.ask("GET", "/api/tables", headers={"Origin": origin})[0] == 403, origin
    assert served.ask("GET", "/api/tables", headers={"Origin": f"http://127.0.0.1:{served.port}"})[0] == 200
    for site in ("cross-site", "same-site", "nonsense"):
        assert served.ask("GET", "/api/tables", headers={"Sec-Fetch-Site": site})[0] == 403
        assert served.ask("GET", "/assets/app.js", headers={"Sec-Fetch-Site": site})[0] == 403
        assert served.ask("GET", "/", headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"})[0] == 403
    for site in ("same-origin", "none"):
        assert served.ask("GET", "/api/tables", headers={"Sec-Fetch-Site": site})[0] == 200
    opened = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert served.ask("GET", "/", headers=opened)[0] == 200  # the file that opens the browser is elsewhere
    assert served.ask("GET", "/", headers={**opened, "Sec-Fetch-Dest": "iframe"})[0] == 403
    for method in ("OPTIONS", "HEAD", "TRACE", "PATCH"):
        assert served.ask(method, "/api/tables", headers={"Origin": f"http://127.0.0.1:{served.port}"})[0] == 405


def test_every_response_has_the_headers(served):
    for path, token in (("/", ""), ("/api/tables", None), ("/api/tables", ""), ("/nothing", None), ("/files/0", "")):
        headers = {k.lower(): v for k, v in served.ask("GET", path, token=token)[1].items()}
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"
        assert headers["cross-origin-opener-policy"] == "same-origin" and headers["cross-origin-resource-policy"] == "same-origin"
        assert not any(name.startswith("access-control") for name in headers) and "set-cookie" not in headers


@pytest.mark.parametrize(
    "path",
    ["/../etc/passwd", "/assets/../../etc/passwd", "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/x", "/assets//etc/passwd", "/files/..%2f..%2fetc%2fpasswd",
     "/files/%2fetc%2fpasswd", "/api/jobs/..%2f..%2fx/result", "/api/tables/..%2f..%2f..%2fetc%2fpasswd", "/api/tables/%00", "/assets/%ff%fe", "/assets/%", "/api//tables"],  # noqa: E501
)  # fmt: skip
def test_no_path_of_a_request_is_ever_opened(served, path):
    status, _, body = served.ask("GET", path)
    assert status in (400, 404), path
    assert b"root:" not in (body if isinstance(body, bytes) else str(body).encode())


def test_a_job_names_no_file_and_no_program(served, tmp_path):
    table, touched, file = served.table(), f"touch {tmp_path / 'was-here'}", str(tmp_path / "x")
    for kind, options in (("evaluate", {"run": f"x={touched}"}), ("evaluate", {"release": "x=/etc/passwd"}), ("anonymize", {"ledger": file}),
                          ("anonymize", {"save-cuts": file}), ("advise", {"hierarchies": "/etc"}), ("evaluate", {"query": "select 1"})):  # fmt: skip
        status, _, answer = served.ask("POST", "/api/jobs", {"kind": kind, "table": table, "plan": PLAN, "options": options})
        assert status == 400 and "cannot be set here" in answer["detail"], (kind, options, answer)
    for values in ({"key": "/etc/passwd"}, {"profile": "/etc/passwd"}, {"hierarchies": "/etc"}, {"hierarchy": ["age=/etc/passwd"]}):
        plan = {"values": {**PLAN["values"], **values}}
        for path, body in (("/api/jobs", {"kind": "anonymize", "table": table, "plan": plan}), ("/api/plan", {"plan": plan}),
                           (f"/api/tables/{table}/feasible", {"plan": plan})):  # fmt: skip
            assert served.ask("POST", path, body)[0] == 400, (path, values)
    assert not list(tmp_path.iterdir())


def test_a_file_name_is_only_shown(served):
    status, _, table = served.ask("PUT", "/api/tables/..%2F..%2F-x%20%3Cscript%3E.csv", b"a,b\n1,2\n")
    assert status == 201 and table["name"] == "../../-x <script>.csv"
    assert table["file"] == "x__script_.csv"
    assert served.ask("GET", f"/api/tables/{table['id']}")[2]["rows"] == 1
    assert served.ask("DELETE", f"/api/tables/{table['id']}")[0] == 204
    assert served.ask("GET", f"/api/tables/{table['id']}")[0] == 404


def test_bodies_and_heads_have_limits(served):
    assert served.ask("POST", "/api/plan", b"{" + b" " * (1 << 20) + b"}")[0] == 413
    assert served.ask("POST", "/api/plan", b"[1]")[0] == 400
    assert served.ask("POST", "/api/plan", b"{")[0] == 400
    table, deep = served.table(), b"[" * 500_000 + b"]" * 500_000
    for path in ("/api/plan", "/api/jobs", f"/api/tables/{table}/feasible", f"/api/tables/{table}/risk", f"/api/tables/{table}/hierarchies/sex"):
        assert served.ask("POST", path, b'{"plan": ' + deep + b"}")[0] == 400, path  # copies of it would take the stack
    long = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nX: {'x' * 20000}\r\n\r\n"
    assert b" 431 " in served.raw(long.encode()).split(b"\r\n")[0]
    both = f"POST /api/plan HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"  # noqa: E501
    assert not served.raw(both.encode()).startswith(b"HTTP/1.1 200")


def test_a_ticket_is_for_one_download(served):
    job = served.ask("POST", "/api/jobs", {"kind": "anonymize", "table": served.table(), "plan": PLAN})[2]
    assert served.wait(job["id"])["exit_code"] == 0
    assert served.ask("POST", "/api/tickets", {"job": job["id"], "file": "../lock"})[0] == 404
    assert served.ask("POST", "/api/tickets", {"job": job["id"], "file": "people.csv"})[0] == 404  # the raw table
    ticket = served.ask("POST", "/api/tickets", {"job": job["id"], "file": "people.anon.csv"})[2]["url"]
    status, headers, body = served.ask("GET", ticket, token="")
    assert status == 200 and body.startswith(b"age,sex,job") and headers["Content-Disposition"] == 'attachment; filename="people.anon.csv"'
    assert served.ask("GET", ticket, token="")[0] == 404


def test_other_addresses_are_not_listened_on(served):
    listening = [line.split()[1] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"]
    assert [address for address in listening if address.endswith(f":{served.port:04X}")] == [f"0100007F:{served.port:04X}"]
    result = subprocess.run([str(BINARY), "serve", "--no-open", "--port", str(served.port)], capture_output=True, text=True, timeout=300)
    assert result.returncode == 5 and "Cannot listen" in result.stderr


def test_storage_is_private_and_gone_at_the_end(tmp_path):
    place = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with Served("--demo", env=place) as server:
        (folder,) = tmp_path.iterdir()
        server.ask("PUT", "/api/tables/a.csv", b"a\n1\n")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for path in folder.rglob("*"):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert list(tmp_path.iterdir()) == []
    with Served("--demo", env=place) as killed:
        killed.ask("PUT", "/api/tables/a.csv", b"a\n1\n")
        killed.stop(signal.SIGKILL)
    assert len(list(tmp_path.iterdir())) == 1  # nobody could clean up
    with Served("--demo", env=place) as server:
        assert len(list(tmp_path.iterdir())) == 1
        assert server.ask("POST", "/api/stop", {})[0] == 204
        assert server.process.wait(timeout=300) == 0
    assert list(tmp_path.iterdir()) == []


def test_the_token_is_in_no_argument_and_no_log(tmp_path):
    opener = tmp_path / "xdg-open"
    opener.write_text('#!/bin/sh\nprintf "%s" "$*" > "$OPENED"\n')
    opener.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "OPENED": str(tmp_path / "opened")}
    process = subprocess.Popen([str(BINARY), "serve", "--demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    token = process.stdout.readline().decode().split("token=")[1].strip()
    end = time.monotonic() + 180
    while not ((tmp_path / "opened").exists() and (tmp_path / "opened").stat().st_size) and time.monotonic() < end:
        time.sleep(0.05)
    opened = pathlib.Path((tmp_path / "opened").read_text())
    assert token not in str(opened) and stat.S_IMODE(opened.stat().st_mode) == 0o600 and token in opened.read_text()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert err == b"" and not opened.exists()


def test_children_die_with_the_server_and_cancel_leaves_nothing(tmp_path):
    with Served("--demo", env={"XDG_RUNTIME_DIR": str(tmp_path)}) as server:
        rows = subprocess.run([str(BINARY), "demo", "--write", "-", "--rows", "300000"], capture_output=True, timeout=300).stdout
        table = server.ask("PUT", "/api/tables/big.csv", rows)[2]["id"]
        long = {"values": {**PLAN["values"], "method": "compact"}}  # takes longer than whatever is done meanwhile
        job = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": long})[2]["id"]
        children = pathlib.Path(f"/proc/{server.process.pid}/task")

        def running():
            found = []
            for task in children.iterdir():
                with contextlib.suppress(OSError):  # a thread that has ended meanwhile
                    found += (task / "children").read_text().split()
            return found

        end = time.monotonic() + 180
        while server.ask("GET", f"/api/jobs/{job}")[2]["state"] != "running" or not running():
            assert time.monotonic() < end, server.ask("GET", f"/api/jobs/{job}")[2]
            time.sleep(0.01)
        assert server.ask("DELETE", f"/api/jobs/{job}")[0] == 204
        ended = server.wait(job)
        assert ended["state"] == "cancelled" and ended["exit_code"] == 130
        assert [file["name"] for file in ended["files"]] == ["tada.toml"] and not running()
        second = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": long})[2]["id"]
        while not running():
            assert time.monotonic() < end, server.ask("GET", f"/api/jobs/{second}")[2]
            time.sleep(0.01)
        (child,) = running()
        assert server.ask("GET", f"/api/jobs/{second}")[2]["state"] == "running"
        server.stop(signal.SIGKILL)
        end = time.monotonic() + 180
        while os.path.exists(f"/proc/{child}") and time.monotonic() < end:
            time.sleep(0.02)
        assert not os.path.exists(f"/proc/{child}")
    assert tempfile.gettempdir()
