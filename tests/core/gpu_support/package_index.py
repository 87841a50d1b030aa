#!/usr/bin/env python3
"""A package index on this machine with two small wheels, for tests of the installation of GPU support.

    package_index.py FOLDER [--backend FILE]

Writes the wheels and gpu_support.json into FOLDER, prints the port, and serves until it is killed. FILE becomes the
torch wheel's libtorch_cuda.so. The first part of the path selects how the server behaves: /good/simple/,
/html/simple/ ... (see FAULTS). requests.txt records every request for a file with its range. /held/ keeps back the last
bytes of each file until a line arrives at standard input.
"""
import argparse
import hashlib
import http.server
import json
import pathlib
import random
import sys
import threading
import zipfile

FAULTS = ("good", "html", "cut", "no-ranges", "corrupt", "long", "busy", "refused", "unlisted", "held")
CUT_BYTES = 100_000
HELD_BYTES = 1000
BACKEND = "torch/lib/libtorch_cuda.so"


def noise(size):
    """Bytes that do not compress."""
    return random.Random(size).randbytes(size)


def write_wheel(file, members):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def describe(file, project, members):
    content = file.read_bytes()
    return {"project": project, "file": file.name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(),
            "unpacked_bytes": sum(len(content) for content in members.values()), "members": list(members)}


def make(folder, backend, port):
    parts = {
        ("torch", "torch-2.11.0-cp311-cp311-manylinux_2_28_x86_64.whl"): {BACKEND: backend},
        ("nvidia-cublas", "nvidia_cublas-13.1.0.3-py3-none-manylinux_2_27_x86_64.whl"): {
            "nvidia/cu13/lib/libcublas.so.13": noise(250_000), "nvidia_cublas.dist-info/licenses/License.txt": b"free"},
    }
    wheels = []
    for (project, name), members in parts.items():
        write_wheel(folder / name, members | {"not/needed.txt": noise(1000)})
        wheels.append(describe(folder / name, project, members))
    manifest = {"version": 1, "libtorch": "2.11.0", "cuda": "13.0", "driver": "580",
                "index": f"http://127.0.0.1:{port}/good/simple", "wheels": wheels}
    (folder / "gpu_support.json").write_text(json.dumps(manifest))
    return {wheel["project"]: wheel["file"] for wheel in wheels}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        fault, kind, name = (self.path.strip("/").split("/") + ["", "", ""])[:3]
        if fault not in FAULTS or kind not in ("simple", "files"):
            self.send_error(404)
        elif kind == "simple":
            self.send_page(fault, name)
        else:
            self.send_file(fault, name)

    def send_page(self, fault, project):
        file = self.server.files.get(project)
        if file is None:
            self.send_error(404)
            return
        listed = [] if fault == "unlisted" else [file]
        if fault == "html":
            text = "".join(f'<a href="../../files/{name}#sha256=0&amp;x=1">{name}</a>\n' for name in listed)
            self.answer(200, text.encode(), {"Content-Type": "text/html"})
        else:
            entries = [{"filename": name, "url": f"../../files/{name}", "hashes": {}} for name in listed]
            self.answer(200, json.dumps({"meta": {"api-version": "1.0"}, "files": entries}).encode(), {})

    def send_file(self, fault, name):
        wanted = self.headers.get("Range", "")
        with open(self.server.folder / "requests.txt", "a", encoding="utf-8") as log:
            log.write(f"{self.path} {wanted}\n")
        first_time = self.path not in self.server.seen
        self.server.seen.add(self.path)
        if fault == "refused" or (fault == "busy" and first_time):
            self.send_error(404 if fault == "refused" else 503)
            return
        content = (self.server.folder / name).read_bytes()
        if fault == "corrupt":
            content = content[:-1] + bytes([content[-1] ^ 1])
        if fault == "long":
            content += b"x"
        begin = 0 if fault == "no-ranges" or not wanted else int(wanted.removeprefix("bytes=").removesuffix("-"))
        head = {"Content-Range": f"bytes {begin}-{len(content) - 1}/{len(content)}"} if begin else {}
        body = content[begin:]
        head["Content-Length"] = str(len(body))
        held = HELD_BYTES if fault == "held" else 0
        self.answer(206 if begin else 200, body[:CUT_BYTES] if fault == "cut" else body, head, held)

    def answer(self, status, body, head, held=0):
        self.send_response(status)
        for name, value in head.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body[:len(body) - held])
            if held:
                self.server.released.wait()
                self.wfile.write(body[len(body) - held:])
        except ConnectionError:
            pass  # the client has seen enough


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--backend", type=pathlib.Path)
    arguments = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    backend = arguments.backend.read_bytes() if arguments.backend else noise(300_000)
    server.folder = arguments.folder
    server.files = make(arguments.folder, backend, server.server_port)
    server.seen = set()
    server.released = threading.Event()
    threading.Thread(target=lambda: sys.stdin.readline() and server.released.set(), daemon=True).start()
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
