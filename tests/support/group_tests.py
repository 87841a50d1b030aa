"""Creates one C++ file from several Qt Test files: group_tests.py OUTPUT TEST.cpp...

Each test file is in a namespace of its own, so that equal names do not collide, after all headers that any of them includes.
main() runs the test after which the program, a symbolic link, is named: core.models.test_lora runs test_lora.cpp.
"""

import pathlib
import re
import sys

HEAD = """#include <QtCore/qmetatype.h>
// The compiler takes the anonymous namespaces for those of headers, because #line names other files.
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#undef QTEST_MAIN
#undef QTEST_GUILESS_MAIN
#undef QTEST_APPLESS_MAIN
// Without the declarations of QTEST_MAIN, which must be global.
#ifdef QT_WIDGETS_LIB
#define QTEST_MAIN(Test) KINESCOPE_TEST_MAIN(Test, QApplication app(argc, argv); app.setAttribute(Qt::AA_Use96Dpi);)
#else
#define QTEST_MAIN(Test) QTEST_GUILESS_MAIN(Test)
#endif
#define QTEST_GUILESS_MAIN(Test) KINESCOPE_TEST_MAIN(Test, QCoreApplication app(argc, argv);)
#define QTEST_APPLESS_MAIN(Test) KINESCOPE_TEST_MAIN(Test, )
#define KINESCOPE_TEST_MAIN(Test, application) \\
    int main(int argc, char** argv) {          \\
        application Test test;                 \\
        return QTest::qExec(&test, argc, argv); \\
    }
"""

MAIN = """int main(int argc, char** argv) {{
    const std::map<std::string, int (*)(int, char**)> tests{{{tests}}};
    const auto name = std::filesystem::path(argv[0]).extension().string();
    const auto test = tests.find(name.substr(name.empty() ? 0 : 1));
    return test == tests.end() ? 1 : test->second(argc, argv);
}}
"""


def split(source):
    """Returns the lines that include headers, and the code without them. The moc file stays in the code."""
    headers, code = [], []
    for line in source.read_text(encoding="utf-8").splitlines():
        match = re.match(r'#include (["<])(.+)[">]$', line)
        is_header = match and not match[2].endswith(".moc")
        if is_header:
            beside = source.parent / match[2]
            headers.append(f'#include "{beside}"' if match[1] == '"' and beside.exists() else line)
        code.append("" if is_header else line)
    return headers, "\n".join(code)


def main():
    output, sources = pathlib.Path(sys.argv[1]), [pathlib.Path(path) for path in sys.argv[2:]]
    includes = dict.fromkeys(["#include <filesystem>", "#include <map>", "#include <string>"])
    tests = ""
    for source in sources:
        headers, code = split(source)
        includes.update(dict.fromkeys(headers))
        tests += f'namespace {source.stem} {{\n#line 1 "{source}"\n{code}\n}}\n'
    entries = ", ".join(f'{{"{source.stem}", {source.stem}::main}}' for source in sources)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(includes) + "\n" + HEAD + tests + MAIN.format(tests=entries), encoding="utf-8")


if __name__ == "__main__":
    main()
