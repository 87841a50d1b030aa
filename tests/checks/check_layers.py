#!/usr/bin/env python3
"""Checks the #include lines of core/, ui/ and app/ against the layer table.

    check_layers.py [ROOT]

The table is the `kinescope_layer(FOLDER DEPS ... TORCH)` lines of core/CMakeLists.txt and ui/CMakeLists.txt. Every
breach is printed as file:line; the exit code is 1 when there is one.
"""
import pathlib
import re
import sys
from dataclasses import dataclass, field

LAYER_LINE = re.compile(r"^\s*kinescope_layer\(\s*(\S+)([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
QT_HEADER = re.compile(r"Q[A-Z]\w*$|Qt\w*/|q[a-z]+\.h$")
TORCH_HEADER = re.compile(r"(torch|ATen|c10|caffe2)/")
TORCH_ALIAS = "core/device/tensor.h"
# Layers that may include only some headers of a lower layer.
NARROW = {("core/nn", "core/numerics"): {"core/numerics/probe.h"}}
# Layers that may use model families only through their interface.
NO_FAMILY = {"core/pipeline", "core/jobs"}
# The families: each folder below core/models whose family.h this file includes.
FAMILY_TABLE = "core/models/families.cpp"
FAMILY_HEADER = re.compile(r'#include "core/models/([^/]+)/family\.h"')
MODEL_FOLDER = re.compile(r"core/models/([^/]+)/")
PANEL = re.compile(r"ui/panels/(?:.*/)?(\w+_panel)\.h$")


@dataclass
class Layer:
    folder: str
    deps: list = field(default_factory=list)
    torch: bool = False


class Table:
    """The layers by folder with their allowed dependencies, and the folders of the model families."""

    def __init__(self, cmake_texts, families):
        self.families = families
        self.layers = {}
        for text in cmake_texts:
            for folder, rest in LAYER_LINE.findall(re.sub(r"#.*", "", text)):
                words = rest.split()
                self.layers[folder] = Layer(folder, arguments(words, "DEPS"), "TORCH" in words)
        names = {target_name(folder): folder for folder in self.layers}
        for layer in self.layers.values():
            unknown = [name for name in layer.deps if name not in names]
            if unknown:
                raise SystemExit(f"{layer.folder}: unknown layers in DEPS: {', '.join(unknown)}")
            layer.deps = [names[name] for name in layer.deps]

    def layer_of(self, path):
        """The layer that contains a file, or None."""
        holders = [folder for folder in self.layers if path.startswith(folder + "/")]
        return self.layers[max(holders, key=len)] if holders else None

    def family_of(self, path):
        """The model family that contains a file, or None."""
        folder = MODEL_FOLDER.match(path)
        return folder[1] if folder and folder[1] in self.families else None

    def allowed(self, folder):
        """{folder: None for all its headers, or the set of those allowed}: the closure of DEPS."""
        result = {folder: None}
        for dep in self.layers[folder].deps:
            for below, headers in {**self.allowed(dep), dep: NARROW.get((folder, dep))}.items():
                known = result.get(below, set())
                result[below] = None if headers is None or known is None else known | headers
        return result


def arguments(words, keyword):
    """The words after a keyword of a CMake call, up to the next keyword."""
    if keyword not in words:
        return []
    after = words[words.index(keyword) + 1:]
    end = next((i for i, word in enumerate(after) if word.isupper()), len(after))
    return after[:end]


def target_name(folder):
    """The name that DEPS uses: core/nn is nn, ui/bridge is ui_bridge."""
    return re.sub(r"^core_", "", folder.replace("/", "_"))


def resolve(root, file, name):
    """The path of a quoted include relative to the root, or None if it is not in this tree."""
    for candidate in (root / name, file.parent / name):
        if candidate.is_file():
            return candidate.resolve().relative_to(root).as_posix()
    return None


def fault_of_system_header(path, layer, name):
    """The reason why <name> may not be included here, or None. Files outside core belong to the window."""
    in_core = path.startswith("core/")
    if in_core and QT_HEADER.match(name):
        return "core must not include Qt"
    if not TORCH_HEADER.match(name):
        return None
    if layer is None or not layer.torch:
        return f"{layer.folder if layer else path.split('/')[0]} must not include Torch"
    if path.endswith(".h") and path != TORCH_ALIAS:
        return f"headers must include Torch only through {TORCH_ALIAS}"
    return None


def fault_of_own_header(table, path, layer, target):
    """The reason why `path` may not include the header `target` of this tree, or None."""
    if layer is None:  # app uses both core and ui
        inside = target.startswith(("app/", "core/api/", "core/base/", "core/protocol/", "core/remote/",
                                    "core/computers/", "core/cluster/", "ui/"))
        return None if inside else "app may include core/api, core/base, core/protocol, core/remote, core/computers, core/cluster and ui"
    below = table.layer_of(target)
    if below is None:
        return f"{target} belongs to no layer"
    allowed = table.allowed(layer.folder)
    if below.folder not in allowed:
        return f"{layer.folder} may include {', '.join(sorted(allowed))}, not {below.folder}"
    headers = allowed[below.folder]
    if headers is not None and target not in headers:
        return f"{layer.folder} may include only {', '.join(sorted(headers))} of {below.folder}"
    return fault_of_sibling(table, path, layer, target)


def fault_of_sibling(table, path, layer, target):
    """Families must not include each other, higher layers must not include a family, panels must not include each other."""
    family = table.family_of(target)
    own_family = table.family_of(path)
    if family and layer.folder in NO_FAMILY:
        return f"{layer.folder} may use families only through their interface, not {family}"
    if family and own_family and family != own_family:
        return f"family {own_family} may not include family {family}"
    panel = PANEL.match(target)
    if panel and path.startswith("ui/panels/") and pathlib.Path(path).stem != panel[1]:
        return "panels must not include panels"
    return None


def faults_of_file(root, table, file):
    path = file.relative_to(root).as_posix()
    layer = table.layer_of(path)
    if layer is None and not path.startswith("app/"):
        yield f"{path}:1: the folder has no kinescope_layer() call"
        return
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        include = INCLUDE.match(line)
        if not include:
            continue
        name = include[1] or include[2]
        target = resolve(root, file, name)
        fault = fault_of_own_header(table, path, layer, target) if target else fault_of_system_header(path, layer, name)
        if fault:
            yield f"{path}:{number}: {name}: {fault}"


def check(root):
    """All violations in a tree, ordered by file."""
    root = pathlib.Path(root).resolve()
    lists = [root / part / "CMakeLists.txt" for part in ("core", "ui")]
    families = root / FAMILY_TABLE
    table = Table((path.read_text(encoding="utf-8") for path in lists if path.exists()),
                  set(FAMILY_HEADER.findall(families.read_text(encoding="utf-8"))) if families.exists() else set())
    files = sorted(file for part in ("core", "ui", "app") for suffix in ("*.h", "*.cpp")
                   for file in (root / part).rglob(suffix))
    if not table.layers or not files:
        raise SystemExit(f"{root}: no layers or no sources found")
    return [fault for file in files for fault in faults_of_file(root, table, file)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    faults = check(root)
    print("\n".join(faults) if faults else "all includes follow the layer table")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
