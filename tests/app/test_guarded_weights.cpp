#include <QTest>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "core/api/killed_reader.h"
#include "core/base/file_stamp.h"
#include "core/device/backend.h"
#include "core/jobs/engine_context.h"
#include "core/jobs/finish_file.h"
#include "core/jobs/tools/describe.h"
#include "core/jobs/tools/guarded_weights.h"
#include "core/jobs/tools/list_models.h"
#include "core/jobs/tools/verify.h"
#include "core/models/discovery/model_scan.h"
#include "core/weights/weight_check.h"
#include "tests/app/cli_process.h"
#include "tests/core/media/media_fixtures.h"
#include "tests/support/sanitizers.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

namespace fs = std::filesystem;

constexpr const char* kAskedFiles = "KINESCOPE_TEST_ASKED_FILES";

/// Writes a safetensors file with `count` tensors of one value each.
void write_tensors(const fs::path& file, int count) {
    const std::string entry = R"("t%1": {"dtype": "U8", "shape": [1], "data_offsets": [%1, %2]})";
    QStringList entries;
    for (int i = 0; i < count; ++i) entries << QString::fromStdString(entry).arg(i).arg(i + 1);
    const std::string header = '\x7b' + entries.join(',').toStdString() + '\x7d';  // moc counts braces
    const std::uint64_t length = header.size();
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    out << header << std::string(static_cast<std::size_t>(count), '\1');
}

/// A reader that crashes at files whose name contains "crash", and is killed at those with "killed". Adds the path of
/// each file to a list.
std::string answer_or_crash(std::string_view message) {
    if (const char* list = std::getenv(kAskedFiles)) std::ofstream(list, std::ios::app) << message.data() << '\n';
    const fs::path file = std::string(message.data());
    if (file.filename().string().find("crash") != std::string::npos) std::raise(SIGSEGV);
    if (file.filename().string().find("killed") != std::string::npos) std::raise(SIGKILL);
    return answer_about_weights(message);
}

int num_lines(const fs::path& file) {
    std::ifstream in(file);
    int count = 0;
    for (std::string line; std::getline(in, line);) ++count;
    return count;
}

}  // namespace

/// The headers of untrusted weight files are read in another process. Here that process is this program, whose reader
/// crashes at some files, or kinescope-cli with little memory.
class TestGuardedWeights : public QObject {
    Q_OBJECT

    const fs::path gguf_ = KINESCOPE_TEST_DATA "/weights/wan_t2v_q8_0.gguf";
    const fs::path self_ = fs::read_symlink("/proc/self/exe");

    static WeightCheck check_of(GuardedWeights& weights) {
        return [&](const fs::path& path) { weights.check(path); };
    }

private Q_SLOTS:
    void a_header_that_needs_too_much_memory_is_refused() {
        if (kinescope::testing::kAddressSanitizer) QSKIP("AddressSanitizer needs more address space than the limit.");
        const Folder folder;
        write_tensors(folder / "few.safetensors", 10);
        write_tensors(folder / "many.safetensors", 200'000);
        GuardedWeights weights(kinescope::testing::cli_program().toStdString(), {}, std::int64_t{24} << 20);
        const auto many = folder / "many.safetensors";
        const Error error = thrown_by([&] { weights.check(many); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QCOMPARE(error.arguments().at("path"), many.string());
        QVERIFY2(error.message().find("needs more memory") != std::string::npos, error.what());
        weights.check(folder / "few.safetensors");
    }

    void a_file_that_crashes_the_reader_is_named_and_the_others_are_listed() {
        const Folder folder;
        write_tensors(folder / "a_crash.safetensors", 3);
        write_tensors(folder / "another_crash.pt", 3);
        fs::copy_file(gguf_, folder / "b_model.gguf");
        GuardedWeights weights(self_);
        const fs::path root = (folder / "b_model.gguf").parent_path();
        QCOMPARE(
            find_models({root}, check_of(weights)),
            (std::vector<fs::path>{root / "a_crash.safetensors", root / "another_crash.pt", root / "b_model.gguf"}));
        qputenv("KINESCOPE_MODELS", root.c_str());
        const auto cards = list_models({}, check_of(weights));
        qunsetenv("KINESCOPE_MODELS");
        QCOMPARE(cards.size(), std::size_t{3});
        for (const std::size_t i : {0, 1}) {
            QVERIFY(cards[i].family.empty());
            QVERIFY2(cards[i].recognized_by.find("was killed by SIGSEGV") != std::string::npos,
                     cards[i].recognized_by.c_str());
        }
        QCOMPARE(cards[2].family, std::string("wan"));
    }

    void the_file_in_a_folder_that_crashes_the_reader_is_named() {
        const Folder folder;
        const fs::path component = folder / "crash_and_others";
        fs::create_directory(component);
        write_tensors(component / "model.safetensors", 3);
        write_tensors(component / "other_crash.safetensors", 3);
        GuardedWeights weights(self_);
        const Error error = thrown_by([&] { weights.check(component); });
        QCOMPARE(error.arguments().at("path"), (component / "other_crash.safetensors").string());
    }

    /// A scheduler of a single-file model has no files.
    void an_empty_path_is_left_to_the_reader() {
        GuardedWeights weights(self_);
        weights.check({});
        QCOMPARE(thrown_by([&] { open_checked({}, check_of(weights)); }).code(), ErrorCode::file_not_found);
    }

    void inspect_reports_it() {
        const Folder folder;
        const fs::path file = folder / "crash.safetensors";
        write_tensors(file, 3);
        GuardedWeights weights(self_);
        const Error error = thrown_by([&] { describe(file, check_of(weights)); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        write_tensors(folder / "whole.safetensors", 3);
        const CheckpointDescription of_folder = describe(file.parent_path(), check_of(weights));
        QCOMPARE(of_folder.components.size(), std::size_t{1});
        const bool is_told = std::ranges::any_of(of_folder.reasons, [](const LocalizableMessage& reason) {
            return reason.text.find("was killed by SIGSEGV") != std::string::npos;
        });
        QVERIFY(is_told);
    }

    void an_unchanged_file_is_read_once() {
        const Folder folder;
        const fs::path list = folder / "list", file = folder / "some.safetensors";
        qputenv(kAskedFiles, list.c_str());
        write_tensors(file, 3);
        GuardedWeights weights(self_);
        for (int i = 0; i < 3; ++i) weights.check(file);
        QCOMPARE(num_lines(list), 1);
        write_tensors(file, 4);
        weights.check(file);
        QCOMPARE(num_lines(list), 2);
        qunsetenv(kAskedFiles);
    }

    void later_processes_know_what_was_read() {
        const Folder folder;
        const fs::path list = folder / "list", file = folder / "some.safetensors", memory = folder / "memory.json";
        qputenv(kAskedFiles, list.c_str());
        write_tensors(file, 3);
        const auto check_in_another_process = [&] { GuardedWeights(self_, memory).check(file); };
        for (int i = 0; i < 3; ++i) check_in_another_process();
        QCOMPARE(num_lines(list), 1);
        // Another file of the same size and time.
        const auto time = fs::last_write_time(file);
        write_tensors(folder / "new", 3);
        fs::rename(folder / "new", file);
        fs::last_write_time(file, time);
        check_in_another_process();
        QCOMPARE(num_lines(list), 2);
        for (const char* damaged : {"", "[1, 2", R"({"version": 1, "entries": [{"name": 1}]})"}) {
            const int before = num_lines(list);
            std::ofstream(memory, std::ios::trunc) << damaged;
            check_in_another_process();
            QCOMPARE(num_lines(list), before + 1);
        }
        qunsetenv(kAskedFiles);
    }

    void a_file_that_crashed_the_reader_is_not_remembered() {
        const Folder folder;
        const fs::path file = folder / "crash.safetensors";
        write_tensors(file, 3);
        for (int i = 0; i < 2; ++i) {
            GuardedWeights weights(self_, folder / "memory.json");
            QCOMPARE(thrown_by([&] { weights.check(file); }).code(), ErrorCode::file_unreadable);
        }
        QVERIFY(!fs::exists(folder / "memory.json"));
    }

    /// The memory did not suffice, for example. The next time, it may.
    void a_file_whose_reader_was_killed_is_read_again() {
        const Folder folder;
        const fs::path list = folder / "list", file = folder / "killed.safetensors";
        qputenv(kAskedFiles, list.c_str());
        write_tensors(file, 3);
        GuardedWeights weights(self_);
        for (int i = 1; i <= 2; ++i) {
            const Error error = thrown_by([&] { weights.check(file); });
            QVERIFY2(is_of_killed_reader(error), error.what());
            QCOMPARE(error.argument("signal"), std::string("SIGKILL"));
            QCOMPARE(error.argument("path"), file.string());
            QCOMPARE(num_lines(list), i);
        }
        qunsetenv(kAskedFiles);
    }

    void the_start_of_a_run_reads_foreign_headers_in_the_child_data() {
        QTest::addColumn<std::function<void(VideoRequest&, const fs::path&)>>("ask");
        const auto row = [](const char* name, std::function<void(VideoRequest&, const fs::path&)> ask) {
            QTest::newRow(name) << std::move(ask);
        };
        row("model", [](VideoRequest& request, const fs::path& file) { request.model = file; });
        row("LoRA", [](VideoRequest& request, const fs::path& file) { request.loras = {{.path = file}}; });
        row("component", [](VideoRequest& request, const fs::path& file) { request.components = {{"vae", file}}; });
        row("tiny decoder", [](VideoRequest& request, const fs::path& file) {
            request.preview_decoder = file;
            request.decode = DecodeMode::draft;
        });
        row("upscaler", [](VideoRequest& request, const fs::path& file) { request.finish.upscaler = file; });
        row("interpolator", [](VideoRequest& request, const fs::path& file) { request.finish.interpolator = file; });
    }
    void the_start_of_a_run_reads_foreign_headers_in_the_child() {
        using Ask = std::function<void(VideoRequest&, const fs::path&)>;
        QFETCH(Ask, ask);
        const Folder folder;
        const fs::path file = folder / "crash.safetensors";
        write_tensors(file, 3);
        VideoRequest request{.model = KINESCOPE_TEST_DATA "/wan_t2v/model", .prompt = "a ball"};
        ask(request, file);
        EngineContext context({.resources_dir = {}, .program = self_});
        const Error error =
            thrown_by([&] { prepare_job(request, context.prepare_options(known_devices(), Purpose::run)); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QCOMPARE(error.arguments().at("path"), file.string());
        QVERIFY2(error.message().find("was killed by SIGSEGV") != std::string::npos, error.what());
    }

    void the_built_in_model_needs_no_child() {
        const Folder folder;
        const fs::path list = folder / "list";
        qputenv(kAskedFiles, list.c_str());
        EngineContext context({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .program = self_});
        prepare_job({.model = "builtin", .prompt = "a ball"}, context.prepare_options(known_devices(), Purpose::run));
        qunsetenv(kAskedFiles);
        QVERIFY(!fs::exists(list));
    }

    void other_work_reads_foreign_headers_in_the_child() {
        const Folder folder;
        const fs::path file = folder / "crash.safetensors";
        write_tensors(file, 3);
        EngineContext context({.resources_dir = {}, .program = self_});
        const FinishRequest finish{.video = folder / "none.mp4", .steps = {.upscaler = file}};
        QCOMPARE(
            thrown_by([&] { finish_file(context, finish, [](const auto&) { return FinishCommand::go_on; }); }).code(),
            ErrorCode::file_unreadable);
        QCOMPARE(thrown_by([&] { verify_case(file.parent_path(), {}, {}, context.weight_check()); }).code(),
                 ErrorCode::file_unreadable);
    }

    void a_damaged_file_passes() {
        const Folder folder;
        std::ofstream(folder / "cut.safetensors") << "cut";
        GuardedWeights weights(self_);
        weights.check(folder / "cut.safetensors");
        weights.check(folder / "none.safetensors");
    }
};

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == kWeightReaderCommand)
        return serve_parent(answer_or_crash, {.memory = LimitedMemory::data});
    QCoreApplication application(argc, argv);
    TestGuardedWeights test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_guarded_weights.moc"
