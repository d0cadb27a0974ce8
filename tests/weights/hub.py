"""Hubs on this machine: one that works, one that hears and never answers."""

import json
import socket
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

COMMIT = "a" * 40


@contextmanager
def working(files):
    """A hub with one model; yields its address and the list of what was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.answer(with_body=False)

        def do_GET(self):
            self.answer(with_body=True)

        def answer(self, with_body):
            path = self.path.split("?")[0]
            asked.append(path)
            name = path.rsplit("/", 1)[-1]
            if path.startswith("/api/models/org/tiny"):
                siblings = [{"rfilename": file} for file in files]
                if "blobs=" in self.path:
                    siblings = [{"rfilename": file, "size": len(files[file])} for file in files]
                body = json.dumps({"id": "org/tiny", "sha": COMMIT, "siblings": siblings}).encode()
            elif path.startswith("/org/tiny/resolve/") and name in files:
                body = files[name]
            elif path == "/":
                body = b""
            else:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("ETag", f'"{name}-{len(body)}"')
            self.send_header("X-Repo-Commit", COMMIT)
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def silent():
    """A hub that takes every call and says nothing; yields its address and who called."""
    listener = socket.create_server(("127.0.0.1", 0))
    callers = []

    def listen():
        while True:
            try:
                callers.append(listener.accept()[0])
            except OSError:
                return

    listening = Thread(target=listen, daemon=True)
    listening.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", callers
    finally:
        listener.shutdown(socket.SHUT_RDWR)  # wakes the thread, which close() does not
        listener.close()
        listening.join()
        for caller in callers:
            caller.close()
