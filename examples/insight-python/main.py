"""An insight module in plain Python, without the SDK: the standard library alone."""

import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

PUBLIC_HOST = os.environ.get("PUBLIC_HOST", "insight.example")
BODY_BYTES_MAX = 1024 * 1024

FAHRENHEIT = {
    "id": "fahrenheit",
    "name": "Fahrenheit",
    "description": "Converts degrees Celsius, and adds an offset",
    "type": "transform",
    "constants": [
        {"name": "offset", "type": "number", "description": "What to add", "default": 0}
    ],
    "inlets": [{"name": "Temperature", "tag": "celsius", "primitive_type": "NUMERIC"}],
    "outlets": [
        {
            "name": "Fahrenheit",
            "primitive_type": "NUMERIC",
            "suggested_name": "{} fahrenheit",
        },
        {"name": "Problems", "primitive_type": "STRING"},
    ],
}
FUNCTIONS = {FAHRENHEIT["id"]: FAHRENHEIT}


class Failure(Exception):
    """A failure that the caller receives as an ErrorResponse."""

    def __init__(self, status, name, message):
        super().__init__(message)
        self.body = {"message": message, "status": status, "name": name}


def definition():
    operation = {"responses": {"200": {"description": "OK"}}, "tags": ["insight"]}
    calls = {
        "/info": ("get", "info"),
        "/insights": ("post", "insights"),
        "/insight/{function_id}": ("get", "insight"),
        "/process": ("post", "process"),
    }
    return {
        "swagger": "2.0",
        "info": {"title": "Python", "version": "1.0.0"},
        "host": PUBLIC_HOST,
        "basePath": "/",
        "schemes": ["https"],
        "consumes": ["application/json"],
        "produces": ["application/json"],
        "tags": [{"name": "insight", "description": "Converts temperatures"}],
        "paths": {
            path: {method: {"operationId": name, **operation}}
            for path, (method, name) in calls.items()
        },
    }


def list_functions(asked):
    functions = list(FUNCTIONS.values())
    offset = asked.get("offset") or 0
    limit = asked.get("limit")
    page = functions[offset:] if limit is None else functions[offset : offset + limit]
    return {"total": len(functions), "count": len(page), "insights": page}


def find(function_id):
    if function_id not in FUNCTIONS:
        raise Failure(404, "NotFound", "There is no such function.")
    return FUNCTIONS[function_id]


def process(request):
    """One list of signals for each outlet, in their order."""
    args = request.get("args") or {}
    find(args.get("function_id"))
    offset = (args.get("constants") or {}).get("offset", 0)
    results, problems = [], []
    for source in request.get("data") or []:
        value = source.get("value")
        # A bool is an int to Python.
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            problems.append(derived(request, source, "the temperature is no number"))
        else:
            results.append(derived(request, source, value * 9 / 5 + 32 + offset))
    return [results, problems]


def derived(request, source, value):
    """All fields of the source are copied; the link and the time of the new value are new."""
    now_us = time.time_ns() // 1000
    return {**source, "value": value, "generated": request["id"], "gts": now_us}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(self.get)

    def do_POST(self):
        self.answer(self.post)

    def get(self):
        if self.path == "/interface":
            return definition()
        if self.path == "/info":
            return {"group_id_required": False, "name": "Python"}
        if self.path.startswith("/insight/"):
            return find(unquote(self.path.removeprefix("/insight/")))
        raise Failure(404, "NotFound", "There is nothing at this path.")

    def post(self):
        routes = {"/insights": list_functions, "/process": process}
        if self.path not in routes:
            raise Failure(404, "NotFound", "There is nothing at this path.")
        length = int(self.headers.get("Content-Length") or 0)
        if length > BODY_BYTES_MAX:
            raise Failure(413, "TooLarge", "The body is too large.")
        try:
            body = json.loads(self.rfile.read(length))
        except ValueError:
            raise Failure(400, "InvalidRequest", "The body is not JSON.") from None
        if not isinstance(body, dict):
            raise Failure(400, "InvalidRequest", "The body is not an object.")
        return routes[self.path](body)

    def answer(self, make):
        try:
            status, body = 200, make()
        except Failure as failure:
            status, body = failure.body["status"], failure.body
        except Exception as error:
            self.log_error("%r", error)
            status = 500
            body = {"message": "The module failed.", "status": 500, "name": "InternalError"}
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Requests are not logged."""


if __name__ == "__main__":
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "9403")))
    server = ThreadingHTTPServer(address, Handler)
    print("http://%s:%d" % server.server_address[:2], flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
