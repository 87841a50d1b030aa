#include "core/gpu_support/gpu_setup.h"

#include <QTest>

using namespace kinescope;

namespace {

DeviceInfo device(const std::string& id, const char* fault) {
    DeviceInfo row;
    row.id = id;
    row.name = id.starts_with("cuda") ? "NVIDIA GeForce RTX 4090" : "CPU";
    row.driver = "12.4";
    if (*fault != 0) row.unusable = {.code = fault, .values = {}, .text = "it is unusable"};
    return row;
}

struct Row {
    const char* name;
    std::vector<const char*> cards;  ///< the fault of each GPU; empty: the GPU can compute
    GpuSupportState state;
    GpuNeed need;
};

const std::vector<Row> kRows{
    {"no card", {}, GpuSupportState::not_installed, GpuNeed::nothing},
    {"it computes", {""}, GpuSupportState::installed, GpuNeed::nothing},
    {"one of two computes", {"card_too_old", ""}, GpuSupportState::installed, GpuNeed::nothing},
    {"not installed", {"gpu_support_missing"}, GpuSupportState::not_installed, GpuNeed::download},
    {"half a download", {"gpu_support_missing"}, GpuSupportState::partly_downloaded, GpuNeed::download},
    {"installed since the start", {"gpu_support_missing"}, GpuSupportState::installed, GpuNeed::restart},
    {"old driver", {"driver_too_old"}, GpuSupportState::not_installed, GpuNeed::newer_driver},
    {"old card", {"card_too_old"}, GpuSupportState::not_installed, GpuNeed::nothing},
    {"old card beside a new one",
     {"card_too_old", "gpu_support_missing"},
     GpuSupportState::not_installed,
     GpuNeed::download},
    {"installed, but it does not load", {"cuda_not_loaded"}, GpuSupportState::installed, GpuNeed::nothing},
};

}  // namespace

class TestGpuSetup : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_a_computer_lacks_data() {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(kRows.size()); ++i) QTest::newRow(kRows[i].name) << i;
    }
    void what_a_computer_lacks() {
        QFETCH(int, row);
        const Row& expected = kRows[row];
        std::vector<DeviceInfo> devices;
        for (std::size_t i = 0; i < expected.cards.size(); ++i)
            devices.push_back(device("cuda:" + std::to_string(i), expected.cards[i]));
        devices.push_back(device("cpu", ""));
        GpuSupportManifest manifest;
        manifest.cuda = "13.0";
        manifest.driver = "580";
        manifest.wheels.emplace_back().bytes = 1000;
        const GpuSupportStatus status{.state = expected.state, .folder = {}, .bytes = 0, .bytes_to_download = 400};
        const GpuSetup setup = gpu_setup(manifest, status, devices);
        QCOMPARE(setup.need, expected.need);
        QCOMPARE(setup.download_bytes, 1000);
        QCOMPARE(setup.bytes_to_download, 400);
        QCOMPARE(setup.needed_driver, std::string("580"));
        QCOMPARE(setup.card,
                 expected.need == GpuNeed::nothing ? std::string() : std::string("NVIDIA GeForce RTX 4090"));
    }
};

QTEST_GUILESS_MAIN(TestGpuSetup)
#include "test_gpu_setup.moc"
