#!/usr/bin/env python3
"""Tests of the checks: violates each rule once in a small tree and expects a fault with file and line."""
import pathlib
import tempfile
import unittest

import check_format
import check_json
import check_language
import check_layers
import check_paths
import check_platform
import check_version

CORE = """kinescope_layer(core/api LIBRARIES nlohmann_json::nlohmann_json)
kinescope_layer(core/device DEPS api TORCH LIBRARIES dl)
kinescope_layer(core/numerics DEPS device TORCH)
kinescope_layer(core/nn DEPS numerics TORCH)
kinescope_layer(core/models
                DEPS nn TORCH)  # DEPS may stand on a line of its own
kinescope_layer(core/media DEPS api)
kinescope_layer(core/pipeline DEPS models numerics media TORCH)
"""
UI = """kinescope_layer(ui/bridge DEPS api LIBRARIES Qt6::Core)
kinescope_layer(ui/panels DEPS ui_bridge)
"""
SOUND = {
    "core/CMakeLists.txt": CORE,
    "ui/CMakeLists.txt": UI,
    "core/api/error.h": "#include <string>\n",
    "core/device/tensor.h": "#include <ATen/core/Tensor.h>\n",
    "core/device/rng.cpp": '#include "core/device/tensor.h"\n#include <ATen/ATen.h>\n',
    "core/numerics/probe.h": '#include "core/device/tensor.h"\n',
    "core/numerics/monitor.h": '#include "core/numerics/probe.h"\n',
    "core/nn/linear.h": '#include "core/numerics/probe.h"\n',
    "core/media/sink.h": '#include "core/api/error.h"\n',
    "core/models/registry.h": '#include "core/nn/linear.h"\n',
    "core/models/families.cpp": '#include "core/models/svd/family.h"\n#include "core/models/wan/family.h"\n',
    "core/models/discovery/scan.h": "",
    "core/models/wan/layout.cpp": '#include "core/models/discovery/scan.h"\n',
    "core/models/wan/family.h": '#include "core/models/registry.h"\n',
    "core/models/svd/family.h": "",
    "core/pipeline/loop.cpp": '#include "core/models/registry.h"\n#include "core/numerics/monitor.h"\n',
    "ui/bridge/engine_bridge.h": '#include <QObject>\n#include "core/api/error.h"\n',
    "ui/panels/log_panel.h": '#include "ui/bridge/engine_bridge.h"\n',
    "ui/panels/log_panel.cpp": '#include "ui/panels/log_panel.h"\n',
    "ui/panels/prompt_panel.h": "",
    "app/main.cpp": '#include "core/api/error.h"\n#include "ui/panels/log_panel.h"\n',
}
# Violations: (file, its text, expected line number, part of the expected reason).
BREACHES = [
    ("core/api/error.h", '#include <string>\n#include "core/device/tensor.h"\n', 2, "not core/device"),
    ("core/api/error.h", '#pragma once\n\n  #  include "../media/sink.h"\n', 3, "not core/media"),
    ("core/media/sink.h", "#include <QString>\n", 1, "core must not include Qt"),
    ("core/media/sink.h", "#include <QtCore/qglobal.h>\n", 1, "core must not include Qt"),
    ("core/media/sink.cpp", "#include <ATen/ATen.h>\n", 1, "core/media must not include Torch"),
    ("core/api/error.h", "#include <c10/util/Exception.h>\n", 1, "core/api must not include Torch"),
    ("core/nn/linear.h", "#include <ATen/ATen.h>\n", 1, "only through core/device/tensor.h"),
    ("core/nn/linear.cpp", '#include "core/numerics/monitor.h"\n', 1, "only core/numerics/probe.h"),
    ("core/models/registry.cpp", '#include "core/numerics/monitor.h"\n', 1, "only core/numerics/probe.h"),
    ("core/models/svd/family.cpp", '#include "core/models/wan/family.h"\n', 1, "may not include family wan"),
    ("core/pipeline/loop.cpp", '#include "core/models/wan/family.h"\n', 1, "through their interface"),
    ("core/models/registry.cpp", '#include "core/pipeline/loop.h"\n', 1, "not core/pipeline"),
    ("core/pipeline/loop.cpp", '#include "ui/bridge/engine_bridge.h"\n', 1, "not ui/bridge"),
    ("ui/bridge/engine_bridge.cpp", "#include <torch/torch.h>\n", 1, "ui/bridge must not include Torch"),
    ("ui/panels/log_panel.cpp", '#include "core/device/tensor.h"\n', 1, "not core/device"),
    ("ui/panels/log_panel.cpp", '#include "ui/panels/prompt_panel.h"\n', 1, "panels must not include panels"),
    ("ui/bridge/engine_bridge.cpp", '#include "ui/panels/log_panel.h"\n', 1, "not ui/panels"),
    ("app/main.cpp", '#include "core/device/tensor.h"\n', 1, "app may include"),
    ("app/main.cpp", "#include <ATen/ATen.h>\n", 1, "app must not include Torch"),
    ("core/nowhere/thing.h", "", 1, "no kinescope_layer() call"),
]


class ChecksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def write_sound_tree(self):
        for path, text in SOUND.items():
            self.write(path, text)
        self.write("core/pipeline/loop.h", "")

    def test_a_sound_tree_passes(self):
        self.write_sound_tree()
        self.assertEqual(check_layers.check(self.root), [])

    def test_every_breach_is_named(self):
        for path, text, line, reason in BREACHES:
            with self.subTest(path=path, reason=reason):
                self.write_sound_tree()
                self.write(path, text)
                faults = check_layers.check(self.root)
                self.assertEqual(len(faults), 1, faults)
                self.assertTrue(faults[0].startswith(f"{path}:{line}: "), faults[0])
                self.assertIn(reason, faults[0])
                (self.root / path).unlink()

    def test_deps_on_an_unknown_layer_is_refused(self):
        self.write_sound_tree()
        self.write("core/CMakeLists.txt", CORE + "kinescope_layer(core/jobs DEPS pipelines TORCH)\n")
        with self.assertRaisesRegex(SystemExit, "core/jobs: unknown layers in DEPS: pipelines"):
            check_layers.check(self.root)

    def test_an_empty_tree_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no layers"):
            check_layers.check(self.root)

    def test_a_path_of_the_machine_is_named(self):
        machine = "/" + "root/models"
        self.write("docs/a.md", f"first\nsee {machine} here\n")
        self.write("docs/b.md", "https://example.org/models\n")
        self.write("build/cache.txt", machine)
        self.assertEqual(check_paths.check(self.root), ["docs/a.md:2: contains the machine's folder /" + "root/"])

    def test_every_other_json_reader_is_named(self):
        self.write("core/api/bounded_json.cpp", "Document::sax_parse(begin, end, &builder);\n")
        self.write("core/jobs/sound.cpp", "// Json::parse(text) is not used\nauto a = parse_json(text);\nvisit(json.items());\n")
        self.assertEqual(check_json.check(self.root), [])
        for line in (
            "Json::parse(text)",
            "RequestJson::parse (text, nullptr, false)",
            "nlohmann::json::accept(text)",
            "nlohmann::basic_json<>::sax_parse(text, &reader)",
            "Json::from_cbor(bytes)",
            "QJsonDocument::fromJson(file.readAll())",
            'auto json = "{}"_json;',
            "stream >> json;",
        ):
            with self.subTest(line=line):
                self.write("ui/models/breach.cpp", f"first();\n{line}\n")
                faults = check_json.check(self.root)
                self.assertEqual(len(faults), 1, faults)
                self.assertTrue(faults[0].startswith("ui/models/breach.cpp:2: "), faults[0])

    def test_a_phrase_is_named(self):
        self.write("README.md", "Fine.\nKinescope takes another way.\n")
        faults = check_language.check(self.root)
        self.assertEqual(faults, ["README.md:2: 'takes another way': falls back to"])

    def test_every_phrase_of_a_file_is_named(self):
        self.write("core/jobs/a.h", "// what was asked for\n// cannot be had\n")
        self.assertEqual(len(check_language.check(self.root)), 2)

    def test_plain_english_passes(self):
        self.write("README.md", "As there is no model that fits, Kinescope continues as requested.\n")
        self.assertEqual(check_language.check(self.root), [])

    def test_headers_of_the_system_stay_in_their_files(self):
        self.write("core/base/platform_files.cpp", "#include <fcntl.h>\n#include <sys/stat.h>\n")
        self.write("core/api/platform_home.cpp", "#include <pwd.h>\n")
        self.write("core/jobs/a.cpp", "#include <map>\n#include <spdlog/fmt/fmt.h>\n#include <curl/curl.h>\n")
        self.assertEqual(check_platform.check(self.root), [])
        self.write("core/jobs/b.cpp", "#include <map>\n#include <unistd.h>\n")
        self.assertEqual(check_platform.check(self.root),
                         ["core/jobs/b.cpp:2: <unistd.h> belongs in core/base/platform_*"])
        self.write("tests/checks/platform_debt.txt", "# comment\ncore/jobs/b.cpp: unistd.h\n")
        self.assertEqual(check_platform.check(self.root), [])
        self.write("core/jobs/b.cpp", "#include <map>\n")
        self.assertEqual(check_platform.check(self.root),
                         ["tests/checks/platform_debt.txt: core/jobs/b.cpp does not include <unistd.h> any more"])

    def test_versions_must_agree(self):
        self.write("CMakeLists.txt", "project(Kinescope VERSION 1.2.0 LANGUAGES CXX)\n")
        self.write("CHANGELOG.md", "## [Unreleased]\n## [1.2.0] - 2026-01-01\n## [1.1.0]\n")
        self.write("installer/kinescope.metainfo.xml", '<release version="1.2.0" date="x"/>')
        self.assertEqual(check_version.check(self.root), [])
        self.write("installer/kinescope.metainfo.xml", '<release version="1.1.0" date="x"/>')
        self.assertIn("installer/kinescope.metainfo.xml: version 1.1.0", check_version.check(self.root))

    def test_an_unformatted_file_is_named(self):
        program = check_format.find_clang_format()
        if program is None:
            self.skipTest("clang-format 14 is not installed")
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.write("core/api/good.h", "int a = 1;\n")
        self.write("core/api/bad.h", "int  a=1;\n")
        self.assertEqual(check_format.check(self.root, program), ["core/api/bad.h: run clang-format -i"])


if __name__ == "__main__":
    unittest.main()
