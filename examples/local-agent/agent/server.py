"""The smallest agent server: health, assistants, threads and runs, in memory. python3 server.py PORT"""

import json
import os
import sys
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

if not os.environ.get("MODEL_API_KEY"):
    sys.exit("MODEL_API_KEY is not set")

KINDS = {
    "threads": ("thread_id", {}, {"status": "idle", "values": {}}),
    "assistants": ("assistant_id", {}, {"version": 1, "config": {}, "context": {}}),
}


def greet(state, context):
    """The graph: greets with the greeting of the assistant."""
    messages = state.get("messages", [])
    last = messages[-1]["content"] if messages else ""
    return {"messages": [*messages, {"type": "ai", "content": f"{context.get('greeting', 'Hello')}: {last}"}]}


def create(kind, body):
    name, items, defaults = kind
    key, now = body.get(name) or str(uuid4()), datetime.now(timezone.utc).isoformat()
    if key in items:
        return (200, items[key]) if body.get("if_exists") == "do_nothing" else (409, {"detail": f"{key} already exists"})
    fields = {field: value for field, value in body.items() if field not in ("if_exists", "supersteps")}
    items[key] = {"metadata": {}, **defaults, **fields, name: key, "created_at": now, "updated_at": now}
    return 200, items[key]


# Each graph has a default assistant, whose ID is a UUID v5 of its name.
create(KINDS["assistants"], {"assistant_id": "e57a9d33-62f5-55b4-a9c5-c71ccb9afa57", "graph_id": "greeter"})


def update(item, body):
    item.update({**body, "metadata": {**item["metadata"], **body.get("metadata", {})}})
    if "version" in item:
        item["version"] += 1
    return item


def search(kind, body):
    name, items, _ = kind
    wanted, ids = body.get("metadata", {}).items(), body.get("ids") or items
    matches = [item for key, item in items.items() if key in ids and wanted <= item["metadata"].items()]
    return matches[body.get("offset", 0) :][: body.get("limit", 10)]


def run(thread, body):
    assistant = KINDS["assistants"][1].get(body.get("assistant_id"), {})
    thread["values"] = greet({**thread["values"], **(body.get("input") or {})}, assistant.get("context", {}))
    return thread["values"]


def route(method, name, key, action, body):
    if name in ("ok", "info"):
        return 200, {"ok": True, "version": "0.1.0", "flags": {"assistants": True, "crons": False}}
    if (name, key) == ("runs", "wait"):  # Without a thread: it leaves nothing.
        return 200, run({"values": {}}, body)
    kind = KINDS.get(name)
    if kind and method == "POST" and key in (None, "search"):
        return (200, search(kind, body)) if key else create(kind, body)
    item = kind and kind[1].get(key)
    if not item or action not in (None, "runs/wait", "state", "history"):
        return 404, {"detail": "Not Found"}
    if action:
        state = {"values": item.get("values"), "next": [], "tasks": []}
        return 200, run(item, body) if action == "runs/wait" else state if action == "state" else []
    if method == "DELETE":
        del kind[1][key]
    return 200, update(item, body) if method == "PATCH" else item


class Handler(BaseHTTPRequestHandler):
    def handle_request(self):
        text = self.rfile.read(int(self.headers.get("content-length") or 0))
        name, key, action = ([*self.path.split("?")[0].strip("/").split("/", 2), None, None])[:3]
        status, result = route(self.command, name, key, action, json.loads(text or b"{}"))
        content = json.dumps(result).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_request


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
