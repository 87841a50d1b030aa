#include "core/api/gpu_support.h"

#include <QDir>
#include <QTest>
#include <fstream>

#include "core/api/error.h"
#include "core/api/wrong_address.h"
#include "core/base/gpu_support_folder.h"
#include "core/base/number_locks.h"
#include "core/gpu_support/http.h"
#include "tests/support/file_bytes.h"
#include "tests/support/package_index.h"
#include "tests/support/small_disk.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

const auto kIgnore = [](const GpuSupportProgress&) { return KeepGoing::yes; };
const HttpOptions kQuick{.max_tries = 3, .retry_pause = std::chrono::milliseconds(1), .stall = std::chrono::seconds(5)};

DeviceInfo card(const char* unusable_code) {
    DeviceInfo device;
    device.id = "cuda:0";
    device.name = "NVIDIA Test";
    device.driver = "12.4";
    if (*unusable_code != 0) device.unusable = {.code = unusable_code, .values = {}, .text = "it is unusable"};
    return device;
}

DeviceInfo cpu() {
    DeviceInfo device;
    device.id = "cpu";
    return device;
}

}  // namespace

#define QVERIFY_ERROR(error, expected_code, words)           \
    QVERIFY2(error, "no error");                             \
    QVERIFY2(error->code() == expected_code, error->what()); \
    QVERIFY2(QByteArray::fromStdString(error->message() + error->hint()).contains(words), error->what())

/// Downloads GPU support from a local server that can simulate faults.
class TestGpuSupport : public QObject {
    Q_OBJECT

    PackageIndex server_;
    GpuSupportManifest manifest_;
    std::unique_ptr<QTemporaryDir> data_;

    GpuSupportManifest with_index(const char* behavior) const {
        GpuSupportManifest manifest = manifest_;
        manifest.index = server_.index(behavior);
        return manifest;
    }
    HttpFile torch_wheel(const char* behavior) const {
        const GpuSupportWheel& wheel = manifest_.wheels[0];
        return {server_.base(behavior) + "/files/" + wheel.file, wheel.bytes, wheel.sha256};
    }
    std::filesystem::path target() const { return data_->filePath("wheel").toStdString(); }
    void download(const char* behavior) const {
        http_download(
            torch_wheel(behavior), target(), [](std::int64_t) {}, kQuick);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(server_.start());
        manifest_ = read_gpu_support_manifest(server_.file("gpu_support.json").toStdString());
    }
    void init() {
        data_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", data_->path().toUtf8());
        server_.take_requests();
    }

    void it_is_installed_and_removed_data() {
        QTest::addColumn<QString>("behavior");
        QTest::newRow("JSON index") << "good";
        QTest::newRow("HTML index") << "html";
    }
    void it_is_installed_and_removed() {
        QFETCH(QString, behavior);
        QCOMPARE(gpu_support_status(manifest_).state, GpuSupportState::not_installed);
        QCOMPARE(gpu_support_status(manifest_).bytes_to_download, manifest_.bytes());

        std::int64_t downloaded = 0;
        install_gpu_support(with_index(behavior.toUtf8()), [&](const GpuSupportProgress& progress) {
            downloaded = progress.downloaded;
            return KeepGoing::yes;
        });

        const GpuSupportStatus status = gpu_support_status(manifest_);
        QCOMPARE(status.state, GpuSupportState::installed);
        QCOMPARE(status.bytes, manifest_.unpacked_bytes());
        QCOMPARE(status.bytes_to_download, 0);
        QCOMPARE(downloaded, manifest_.bytes());
        QCOMPARE(status.folder, gpu_support_folder("2.11.0"));
        for (const GpuSupportWheel& wheel : manifest_.wheels)
            for (const std::string& member : wheel.members) QVERIFY(std::filesystem::exists(status.folder / member));
        QVERIFY(!std::filesystem::exists(status.folder / "not"));

        QCOMPARE(remove_gpu_support(), manifest_.unpacked_bytes());
        QCOMPARE(gpu_support_status(manifest_).state, GpuSupportState::not_installed);
        QCOMPARE(remove_gpu_support(), 0);
    }

    void an_interrupted_installation_continues_where_it_stopped() {
        const auto error = error_of([&] {
            install_gpu_support(with_index("good"), [](const GpuSupportProgress& progress) {
                return progress.file.starts_with("nvidia_cublas") ? KeepGoing::no : KeepGoing::yes;
            });
        });
        QVERIFY_ERROR(error, ErrorCode::cancelled, "continue");
        const GpuSupportStatus status = gpu_support_status(manifest_);
        QCOMPARE(status.state, GpuSupportState::partly_downloaded);
        QCOMPARE(status.bytes_to_download, manifest_.wheels[1].bytes);
        QVERIFY(!std::filesystem::exists(status.folder));

        server_.take_requests();
        install_gpu_support(with_index("good"), kIgnore);
        QCOMPARE(gpu_support_status(manifest_).state, GpuSupportState::installed);
        const QByteArray requests = server_.take_requests();
        QVERIFY2(requests.contains("cublas") && !requests.contains("torch"), requests);
    }

    void leftovers_of_a_killed_installation_are_deleted() {
        const auto folder = std::filesystem::path(gpu_support_folder("2.11.0").string() + ".partial/tree/torch/lib");
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "libtorch_cuda.so.123-0.part") << "the first half";
        install_gpu_support(with_index("good"), kIgnore);
        QCOMPARE(gpu_support_status(manifest_).bytes, manifest_.unpacked_bytes());
    }

    void a_broken_connection_is_continued_with_range_requests() {
        download("cut");
        QCOMPARE(contents_of(target()).size(), static_cast<std::size_t>(manifest_.wheels[0].bytes));
        const QByteArray requests = server_.take_requests();
        QVERIFY2(requests.contains("bytes=100000-"), requests);
        QVERIFY2(requests.contains("bytes=200000-"), requests);
        QVERIFY(!std::filesystem::exists(part_of(target())));
    }

    void a_part_is_restarted_if_the_server_has_no_ranges() {
        std::ofstream(part_of(target())) << "what an earlier download has left";
        download("no-ranges");
        QCOMPARE(contents_of(target()).size(), static_cast<std::size_t>(manifest_.wheels[0].bytes));
    }

    void a_busy_server_is_retried() {
        download("busy");
        QCOMPARE(contents_of(target()).size(), static_cast<std::size_t>(manifest_.wheels[0].bytes));
    }

    void a_wrong_file_is_refused_data() {
        QTest::addColumn<QString>("behavior");
        QTest::addColumn<QString>("words");
        QTest::newRow("changed byte") << "corrupt"
                                      << "SHA-256";
        QTest::newRow("wrong length") << "long"
                                      << "bytes; expected:";
        QTest::newRow("missing") << "refused"
                                 << "404";
    }
    void a_wrong_file_is_refused() {
        QFETCH(QString, behavior);
        QFETCH(QString, words);
        const auto error = error_of([&] { download(behavior.toUtf8()); });
        QVERIFY_ERROR(error, ErrorCode::file_unreadable, words.toUtf8());
        QVERIFY(!std::filesystem::exists(target()));
        // A damaged download must not be resumed.
        if (behavior == "corrupt") QVERIFY(!std::filesystem::exists(part_of(target())));
    }

    void an_index_without_the_file_is_named() {
        const auto error = error_of([&] { install_gpu_support(with_index("unlisted"), kIgnore); });
        QVERIFY_ERROR(error, ErrorCode::file_unreadable, "does not list");
    }

    void a_missing_network_is_named() {
        const HttpObserver ignore = [](std::int64_t) {};
        const auto error = error_of([&] { http_get("http://127.0.0.1:1/simple/", "*/*", 1000, ignore, kQuick); });
        QVERIFY_ERROR(error, ErrorCode::file_unreadable, "Check the network");
        const auto name = error_of([&] { http_get("http://no-such-host.invalid/", "*/*", 1000, ignore, kQuick); });
        QVERIFY_ERROR(name, ErrorCode::file_unreadable, "no-such-host.invalid");
    }

    void a_wrong_address_differs_from_a_failing_network_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("is_wrong");
        QTest::newRow("no server") << "http://127.0.0.1:1/simple/" << false;
        QTest::newRow("no such page") << QString::fromStdString(server_.base("nowhere")) << true;
        QTest::newRow("no port") << "http://127.0.0.1:x/simple/" << true;
        QTest::newRow("another protocol") << "ftp://127.0.0.1/simple/" << true;
    }
    void a_wrong_address_differs_from_a_failing_network() {
        QFETCH(QString, url);
        QFETCH(bool, is_wrong);
        const HttpObserver ignore = [](std::int64_t) {};
        const auto error = error_of([&] { http_get(url.toStdString(), "*/*", 1000, ignore, kQuick); });
        QVERIFY_ERROR(error, ErrorCode::file_unreadable, "Cannot download");
        QVERIFY(error->arguments().contains("url"));
        QCOMPARE(error->argument("cause"), std::string(is_wrong ? kWrongAddress : ""));
    }

    void logins_are_not_shown_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("shown");
        QTest::newRow("user and password") << "https://ana:s3cret@host/simple"
                                           << "https://host/simple";
        QTest::newRow("token") << "https://s3cret@host:8443/a/b/"
                               << "https://host:8443/a/b/";
        QTest::newRow("signature") << "https://host/a.whl?key=s3cret#sha256=0"
                                   << "https://host/a.whl";
        QTest::newRow("password with an @") << "https://ana:s3@cret@host/simple"
                                            << "https://host/simple";
        QTest::newRow("password with a slash") << "https://ana:s3c/ret@host/simple?s3cret"
                                               << "https://host/simple";
        QTest::newRow("nothing to hide") << "http://127.0.0.1:9/simple/torch/"
                                         << "http://127.0.0.1:9/simple/torch/";
        QTest::newRow("no URL") << "simple"
                                << "simple";
    }
    void logins_are_not_shown() {
        QFETCH(QString, url);
        QTEST(QString::fromStdString(shown_url(url.toStdString())), "shown");
    }

    void failures_do_not_show_the_login() {
        const auto with_login = [](std::string url) { return url.insert(url.find("//") + 2, "s3cret-name:s3cret@"); };
        const HttpObserver ignore = [](std::int64_t) {};
        HttpFile wheel = torch_wheel("corrupt");
        wheel.url = with_login(wheel.url);
        GpuSupportManifest manifest = with_index("unlisted");
        manifest.index = with_login(manifest.index);
        for (const auto& error :
             {error_of([&] { http_get("http://s3cret:s3cret@127.0.0.1:1/?s3cret", "*/*", 1000, ignore, kQuick); }),
              error_of([&] { http_get(with_login(server_.index("good")) + "/torch/", "*/*", 10, ignore, kQuick); }),
              error_of([&] { http_download(wheel, target(), ignore, kQuick); }),
              error_of([&] { install_gpu_support(manifest, kIgnore); })}) {
            QVERIFY_ERROR(error, ErrorCode::file_unreadable, "http://127.0.0.1:");
            QVERIFY2(error->argument("url").starts_with("http://127.0.0.1:"), error->argument("url").c_str());
            std::string text = error->message() + error->hint();
            for (const auto& [name, value] : error->arguments()) text += value;
            QVERIFY2(text.find("s3cret") == std::string::npos, text.c_str());
        }
    }

    void an_oversized_index_is_refused() {
        const auto error = error_of([&] {
            http_get(
                server_.index("good") + "/torch/", "*/*", 10, [](std::int64_t) {}, kQuick);
        });
        QVERIFY_ERROR(error, ErrorCode::file_unreadable, "more than 10 bytes");
    }

    void a_full_disk_is_named_and_the_part_is_kept() {
        {
            const SmallDisk disk(100'000);
            const auto error = error_of([&] { download("good"); });
            QVERIFY_ERROR(error, ErrorCode::disk_full, "large");
        }
        QVERIFY(std::filesystem::exists(part_of(target())));
        download("good");
        QCOMPARE(contents_of(target()).size(), static_cast<std::size_t>(manifest_.wheels[0].bytes));
    }

    void space_is_checked_before_the_download() {
        GpuSupportManifest manifest = with_index("good");
        manifest.wheels[1].unpacked_bytes = std::int64_t{1} << 50;
        const auto error = error_of([&] { install_gpu_support(manifest, kIgnore); });
        QVERIFY_ERROR(error, ErrorCode::disk_full, "1024.0 TiB");
        QVERIFY(server_.take_requests().isEmpty());
    }

    void a_second_installation_at_the_same_time_is_refused() {
        std::filesystem::create_directories(gpu_support_root());
        NumberLocks other(gpu_support_root() / "lock");
        QVERIFY(other.take(1) == NumberLocks::Outcome::taken);
        const auto error = error_of([&] { install_gpu_support(with_index("good"), kIgnore); });
        QVERIFY_ERROR(error, ErrorCode::output_not_writable, "Another Kinescope process");
    }

    void a_folder_that_cannot_be_written_is_named() {
        std::ofstream(data_->filePath("kinescope").toStdString()) << "a file";
        const auto error = error_of([&] { install_gpu_support(with_index("good"), kIgnore); });
        QVERIFY_ERROR(error, ErrorCode::output_not_writable, "kinescope");
    }

    void a_computer_without_a_usable_card_is_told_why_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("ready") << ""
                               << "";
        QTest::newRow("not installed yet") << "cuda_not_loaded"
                                           << "";
        QTest::newRow("old driver") << "driver_too_old"
                                    << "driver 580";
        QTest::newRow("old card") << "card_too_old"
                                  << "it is unusable";
    }
    void a_computer_without_a_usable_card_is_told_why() {
        QFETCH(QString, code);
        QFETCH(QString, words);
        const std::string unusable = code.toStdString();
        const auto error = error_of([&] { require_gpu(manifest_, {card(unusable.c_str()), cpu()}); });
        if (words.isEmpty()) {
            QVERIFY2(!error, error ? error->what() : "");
            return;
        }
        QVERIFY_ERROR(error, ErrorCode::device_unavailable, words.toUtf8());
    }
    void a_missing_driver_is_named() {
        const auto error = error_of([&] { require_gpu(manifest_, {cpu()}); });
        QVERIFY_ERROR(error, ErrorCode::device_unavailable, "driver 580 or newer");
    }

    void a_bad_manifest_is_refused_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        const QByteArray sha256 = QByteArray::fromStdString(manifest_.wheels[0].sha256);
        QTest::newRow("no hash") << sha256 << QByteArray("abc");
        QTest::newRow("member outside the folder")
            << QByteArray("torch/lib/libtorch_cuda.so") << QByteArray("../libtorch_cuda.so");
        QTest::newRow("absolute member") << QByteArray("torch/lib/libtorch_cuda.so") << QByteArray("/tmp/x");
        QTest::newRow("wheel outside the folder") << QByteArray("\"torch-2") << QByteArray("\"../torch-2");
        QTest::newRow("no wheels") << QByteArray("\"wheels\"") << QByteArray("\"others\"");
        QTest::newRow("no index") << QByteArray("\"index\"") << QByteArray("\"others\"");
        QTest::newRow("version with a path")
            << QByteArray("\"libtorch\": \"2.11.0\"") << QByteArray("\"libtorch\": \"a/b\"");
    }
    void a_bad_manifest_is_refused() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const QByteArray good = bytes_of(server_.file("gpu_support.json"));
        QByteArray bad = good;
        bad.replace(before, after);
        QVERIFY(bad != good);
        const auto file = data_->filePath("bad.json").toStdString();
        std::ofstream(file) << bad.toStdString();
        const auto error = error_of([&] { read_gpu_support_manifest(file); });
        QVERIFY_ERROR(error, ErrorCode::bad_config, "bad.json");
    }

    /// installer/run.sh and the program must install the same wheels.
    void the_manifest_names_the_wheels_of_the_installer() {
        const GpuSupportManifest manifest =
            read_gpu_support_manifest(KINESCOPE_SOURCE_DIR "/resources/gpu_support.json");
        const QByteArray list = bytes_of(KINESCOPE_SOURCE_DIR "/installer/libtorch_cuda.txt");
        QCOMPARE(list.count("--hash=sha256:"), static_cast<qsizetype>(manifest.wheels.size()));
        for (const GpuSupportWheel& wheel : manifest.wheels)
            QVERIFY2(list.contains(QByteArray::fromStdString(wheel.project + "==")) &&
                         list.contains(QByteArray::fromStdString(wheel.sha256)),
                     wheel.file.c_str());
    }
};

QTEST_GUILESS_MAIN(TestGpuSupport)
#include "test_gpu_support.moc"
