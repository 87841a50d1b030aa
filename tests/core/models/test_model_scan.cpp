#include <QtTest>

#include <QTemporaryDir>
#include <fstream>

#include "core/models/discovery/model_scan.h"

using namespace kinescope;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& header, std::size_t data) {
    std::ofstream out(file, std::ios::binary);
    const std::uint64_t length = header.size();
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    out << header << std::string(data, '\0');
}

}  // namespace

class TestModelScan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void damagedFilesAreNamedAndOthersAreNot() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        const std::string header = R"({"a": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}})";
        write(folder / "whole.safetensors", header, 16);
        write(folder / "cut.safetensors", header, 7);
        write(folder / "other.bin", "no weights", 0);
        QCOMPARE(find_models({folder}), (std::vector<fs::path>{folder / "cut.safetensors"}));
    }
};

QTEST_GUILESS_MAIN(TestModelScan)
#include "test_model_scan.moc"
