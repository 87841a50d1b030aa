#!/usr/bin/env python3
"""Holds the #include lines of core/, ui/ and app/ against the layer table of the house.

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
# Where a layer may see only some headers of a layer below it.
NARROW = {("core/nn", "core/numerics"): {"core/numerics/probe.h"}}
# Layers that must know the families by their interface alone.
NO_FAMILY = {"core/pipeline", "core/jobs"}
FAMILY = re.compile(r"core/models/([^/]+)/")
PANEL = re.compile(r"ui/panels/(?:.*/)?(\w+_panel)\.h$")


@dataclass
class Layer:
    folder: str
    deps: list = field(default_factory=list)
    torch: bool = False


class Table:
    """Layers by folder, and what each may include."""

    def __init__(self, cmake_texts):
        self.layers = {}
        for text in cmake_texts:
            for folder, rest in LAYER_LINE.findall(re.sub(r"#.*", "", text)):
                words = rest.split()
                self.layers[folder] = Layer(folder, arguments(words, "DEPS"), "TORCH" in words)
        names = {target_name(folder): folder for folder in self.layers}
        for layer in self.layers.values():
            unknown = [name for name in layer.deps if name not in names]
            if unknown:
                raise SystemExit(f"{layer.folder}: DEPS names {', '.join(unknown)}, and no layer has that name")
            layer.deps = [names[name] for name in layer.deps]

    def layer_of(self, path):
        """The layer that holds a file, or None."""
        holders = [folder for folder in self.layers if path.startswith(folder + "/")]
        return self.layers[max(holders, key=len)] if holders else None

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
    """The path from the root of a quoted include, or None where it is not ours."""
    for candidate in (root / name, file.parent / name):
        if candidate.is_file():
            return candidate.resolve().relative_to(root).as_posix()
    return None


def fault_of_system_header(path, layer, name):
    """Why <name> may not be included here, or None. The window's side is every file outside core."""
    in_core = path.startswith("core/")
    if in_core and QT_HEADER.match(name):
        return "core has no Qt"
    if not TORCH_HEADER.match(name):
        return None
    if layer is None or not layer.torch:
        return f"{layer.folder if layer else path.split('/')[0]} has no Torch"
    if path.endswith(".h") and path != TORCH_ALIAS:
        return f"headers see Torch through {TORCH_ALIAS} alone"
    return None


def fault_of_own_header(table, path, layer, target):
    """Why the header `target` of this tree may not be included by `path`, or None."""
    if layer is None:  # app joins core and ui
        inside = target.startswith(("app/", "core/api/", "core/base/", "ui/"))
        return None if inside else "app may include core/api, core/base and ui"
    below = table.layer_of(target)
    if below is None:
        return f"{target} is in no layer"
    allowed = table.allowed(layer.folder)
    if below.folder not in allowed:
        return f"{layer.folder} may include {', '.join(sorted(allowed))}, not {below.folder}"
    headers = allowed[below.folder]
    if headers is not None and target not in headers:
        return f"{layer.folder} may include only {', '.join(sorted(headers))} of {below.folder}"
    return fault_of_sibling(path, layer, target)


def fault_of_sibling(path, layer, target):
    """Families do not know each other, the layers above do not know a family, panels do not know each other."""
    family = FAMILY.match(target)
    own_family = FAMILY.match(path)
    if family and layer.folder in NO_FAMILY:
        return f"{layer.folder} knows families by their interface, not {family[1]}"
    if family and own_family and family[1] != own_family[1]:
        return f"family {own_family[1]} may not include family {family[1]}"
    panel = PANEL.match(target)
    if panel and path.startswith("ui/panels/") and pathlib.Path(path).stem != panel[1]:
        return "panels never include panels"
    return None


def faults_of_file(root, table, file):
    path = file.relative_to(root).as_posix()
    layer = table.layer_of(path)
    if layer is None and not path.startswith("app/"):
        yield f"{path}:1: the folder has no kinescope_layer line"
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
    """All breaches of a tree, in the order of its files."""
    root = pathlib.Path(root).resolve()
    lists = [root / part / "CMakeLists.txt" for part in ("core", "ui")]
    table = Table(path.read_text(encoding="utf-8") for path in lists if path.exists())
    files = sorted(file for part in ("core", "ui", "app") for suffix in ("*.h", "*.cpp")
                   for file in (root / part).rglob(suffix))
    if not table.layers or not files:
        raise SystemExit(f"{root}: no layers or no sources here")
    return [fault for file in files for fault in faults_of_file(root, table, file)]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    faults = check(root)
    print("\n".join(faults) if faults else "every include keeps to the layer table")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
