#include <ATen/ATen.h>

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/jobs/tools/check_file.h"
#include "core/jobs/tools/file_check_cache.h"
#include "core/weights/formats/safetensors_writer.h"

using namespace kinescope;

namespace {

namespace fs = std::filesystem;

const CheckProgress kGoOn = [](std::int64_t, std::int64_t) { return true; };

std::string hash_of(const fs::path& path) {
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex().toStdString();
}

}  // namespace

class TestCheckFile : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    fs::path place(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

    fs::path write(const char* name, const std::map<std::string, Tensor>& tensors) const {
        write_safetensors(place(name), tensors);
        return place(name);
    }

    /// Writes a download manifest with one file of this name, size and hash.
    fs::path manifest(const std::string& target, std::uintmax_t bytes, const std::string& sha256) const {
        const Json file{{"target", target}, {"bytes", bytes}, {"sha256", sha256}};
        const Json offer{{"files", Json::array({file})}};
        std::ofstream(place("downloads.json")) << Json{{"downloads", Json::array({offer})}}.dump();
        return place("downloads.json");
    }

private Q_SLOTS:
    void a_healthy_file_has_its_hash_and_no_faults() {
        const fs::path file = write("healthy.safetensors", {{"a", at::randn({300, 40})}, {"b", at::ones({7})}});
        std::int64_t last = 0, total = 0;
        const FileCheck check = check_file(file, {}, [&](std::int64_t done, std::int64_t all) {
            const bool grows = done >= last && done <= all;
            last = done, total = all;
            return grows;
        });
        QCOMPARE(check.sha256, hash_of(file));
        QCOMPARE(check.bytes, static_cast<std::int64_t>(fs::file_size(file)));
        QCOMPARE(check.num_tensors, std::int64_t{2});
        QVERIFY(check.faults.empty() && !check.has_damage() && !check.is_another_file());
        QVERIFY(total > 0 && last > total * 9 / 10);
    }

    void damaged_and_cut_off_tensors_are_named() {
        Tensor damaged = at::zeros({50, 3}).to(at::kBFloat16);
        damaged[4][1] = std::numeric_limits<double>::quiet_NaN();
        damaged[5][2] = std::numeric_limits<double>::infinity();
        const Tensor cut = at::full({10, 10}, 448.0).to(at::kFloat8_e4m3fn);
        const fs::path file =
            write("damaged.safetensors", {{"cut", cut}, {"damaged", damaged}, {"well", at::ones({3})}});
        const FileCheck check = check_file(file, {}, kGoOn);
        QCOMPARE(check.faults.size(), std::size_t{2});
        QVERIFY(check.has_damage());
        for (const WeightFault& fault : check.faults) {
            QCOMPARE(fault.non_finite, std::int64_t{fault.tensor == "damaged" ? 2 : 0});
            QCOMPARE(fault.saturated, std::int64_t{fault.tensor == "cut" ? 100 : 0});
            QCOMPARE(fault.dtype, std::string(fault.tensor == "cut" ? "float8_e4m3fn" : "bfloat16"));
        }
    }

    void a_published_file_is_compared_with_its_published_hash() {
        const fs::path file = write("model.safetensors", {{"a", at::ones({9})}});
        const std::string right = hash_of(file), wrong(64, 'b');
        const auto bytes = fs::file_size(file);
        QVERIFY(!check_file(file, manifest("vae/model.safetensors", bytes, right), kGoOn).is_another_file());
        QCOMPARE(check_file(file, place("downloads.json"), kGoOn).published, right);
        QVERIFY(check_file(file, manifest("vae/model.safetensors", bytes, wrong), kGoOn).is_another_file());
        QVERIFY(check_file(file, manifest("vae/model.safetensors", bytes + 1, wrong), kGoOn).published.empty());
        QVERIFY(check_file(file, manifest("vae/other.safetensors", bytes, wrong), kGoOn).published.empty());
    }

    void the_hugging_face_cache_names_files_by_their_hash() {
        const fs::path file = write("source.safetensors", {{"a", at::ones({9})}});
        const std::string hash = hash_of(file);
        fs::create_directories(place("blobs"));
        fs::copy(file, place("blobs") / hash);
        fs::create_directories(place("snapshots"));
        fs::create_symlink(place("blobs") / hash, place("snapshots") / "model.safetensors");
        QCOMPARE(published_sha256(place("snapshots") / "model.safetensors", {}), hash);
        QVERIFY(published_sha256(file, {}).empty());
    }

    void a_stopped_check_is_cancelled() {
        const fs::path file = write("stopped.safetensors", {{"a", at::ones({9})}});
        for (const int stop_after : {0, 1}) {
            int calls = 0;
            try {
                check_file(file, {}, [&](std::int64_t, std::int64_t) { return calls++ < stop_after; });
                QFAIL("the check was not stopped");
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::cancelled);
            }
        }
    }

    void a_result_is_valid_until_the_file_changes() {
        const fs::path file = write("kept.safetensors", {{"a", at::full({4}, NAN)}});
        FileCheckCache kept(place("kept/file_checks.json"));
        QVERIFY(!kept.find(file));
        const FileCheck check = check_file(file, {}, kGoOn);
        kept.save(check);
        const auto found = FileCheckCache(place("kept/file_checks.json")).find(file);
        QVERIFY(found.has_value());
        QCOMPARE(found->sha256, check.sha256);
        QCOMPARE(found->checked, check.checked);
        QCOMPARE(found->faults.front().tensor, std::string("a"));
        fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
        QVERIFY(!kept.find(file));
        std::ofstream(place("kept/file_checks.json")) << "{ not json";
        QVERIFY(!kept.find(file));
    }
};

QTEST_APPLESS_MAIN(TestCheckFile)
#include "test_check_file.moc"
