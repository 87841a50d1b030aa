#include <sys/wait.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <csignal>
#include <set>

#include "core/device/canary_cache.h"
#include "core/device/canary_child.h"
#include "core/device/canary_run.h"
#include "core/device/dtype_support.h"
#include "tests/support/canary_codes.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Returns the path of the test program, which is also the child process, see main().
std::filesystem::path this_program() {
    return std::filesystem::read_symlink("/proc/self/exe");
}

int index_of(const std::vector<CanaryProbe>& probes, const std::string& name) {
    for (std::size_t i = 0; i < probes.size(); ++i)
        if (probes[i].name.find(name) != std::string::npos) return static_cast<int>(i);
    return -1;
}

constexpr const char* kProbe = "inverse square root, float32";

/// Two layers of Wan, which represent those of all families.
const RowLayers kLayers = {{"Wan 14B", RowLayerRole::time_embedder, 5120, 5120},
                           {"Wan 14B", RowLayerRole::modulation, 5120, 30720}};

/// Runs one probe in a child with a planted fault.
ProbeResult run_one(const char* fault, double time_limit_seconds = 200) {
    qputenv("KINESCOPE_CANARY_FAULT", fault);
    const auto probes = canary_probes(query_cpu(), kLayers);
    const int index = index_of(probes, kProbe);
    CanaryReport report{.results = std::vector<ProbeResult>(probes.size())};
    for (std::size_t i = 0; i < probes.size(); ++i) report.results[i].probe = probes[i];
    const ChildEnd end = run_child({.program = this_program(),
                                    .arguments = to_arguments({.device = "cpu", .first = index, .count = 1}),
                                    .time_limit_seconds = time_limit_seconds});
    merge_child(end, index, report);
    qunsetenv("KINESCOPE_CANARY_FAULT");
    return report.results[static_cast<std::size_t>(index)];
}

std::string fault_of(const std::string& what) {
    std::string fault(kProbe);
    return fault.append(":").append(what);  // g++ 12 warns about operator+
}

ProbeResult result_of(Dtype dtype, ProbeOutcome outcome, BackendSwitches fix = {}) {
    return {.probe = {.name = "probe", .dtype = dtype}, .outcome = outcome, .fixed_by = fix};
}

}  // namespace

class TestCanary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void probes_cover_the_layers_and_the_published_bugs() {
        DeviceCapability device = cuda_device(9, 0, "NVIDIA H20");
        device.memory_total_bytes = std::int64_t{80} << 30;
        const auto probes = canary_probes(device, kLayers);
        for (const char* name :
             {"Wan 14B modulation, bfloat16 1x5120x30720", "Wan 14B time embedder, float16 2x5120x5120",
              "two rows, bfloat16 2x1024x18432", "long rows, float16 64x14688x1536",
              "attention over long keys, float16", "convolution, bfloat16 288x96x480x832", "float8 cast",
              "fused norm, bfloat16 32760x1536x1536", "fused norm, float16 77x1001x1003",
              "cuDNN attention, bfloat16 12x17160x17160x128", "TF32 convolution, float32 288x96x480x832"})
            QVERIFY2(index_of(probes, name) >= 0, name);
        std::set<std::string> names;
        for (const auto& probe : probes) names.insert(probe.name);
        QCOMPARE(names.size(), probes.size());
        QCOMPARE(index_of(canary_probes(cuda_device(7, 5), kLayers), "bfloat16"), -1);
        QVERIFY(index_of(canary_probes(mps_device(14), kLayers), "many scores") >= 0);
    }

    /// The window finds its words and icons by code and kind, so both must not depend on the English name.
    void probes_have_a_code_and_a_kind() {
        DeviceCapability cuda = cuda_device(9, 0);
        cuda.memory_total_bytes = std::int64_t{80} << 30;
        RowLayers layers = kLayers;
        layers.push_back({"SVD", RowLayerRole::added_times, 768, 1280});
        layers.push_back({"Step-Video", RowLayerRole::timesteps, 256, 6144});
        std::set<std::string> codes;
        for (const DeviceCapability& device : {cuda, mps_device(14)})
            for (const CanaryProbe& probe : canary_probes(device, layers)) {
                codes.insert(probe.words.code);
                QCOMPARE(probe.words.text, probe.name);
                QCOMPARE(probe.kind == CanaryKind::fused, probe.is_fused());
                QCOMPARE(probe.kind == CanaryKind::layers, probe.words.values.contains("model"));
            }
        QVERIFY(codes == std::set<std::string>(std::begin(kCanaryCodes), std::end(kCanaryCodes)));
    }

    void this_cpu_agrees_with_float32() {
        const CanaryReport report = run_canary(
            {.program = this_program(), .device = query_cpu(), .row_layers = kLayers, .time_limit_seconds = 280});
        QVERIFY(report.ran());
        for (const auto& result : report.results)
            QVERIFY2(result.outcome == ProbeOutcome::passed, verdict(result).c_str());
        QVERIFY(!report.switches().any());
    }

    void a_crashed_child_is_a_verdict_data() {
        QTest::addColumn<int>("signal");
        for (const int signal : {SIGFPE, SIGSEGV, SIGILL, SIGABRT, SIGBUS, SIGKILL})
            QTest::newRow(signal_name(signal).c_str()) << signal;
    }
    void a_crashed_child_is_a_verdict() {
        QFETCH(int, signal);
        const ProbeResult result = run_one(fault_of(signal_name(signal)).c_str());
        QCOMPARE(result.outcome, ProbeOutcome::killed);
        QCOMPARE(result.signal, signal);
        QVERIFY(verdict(result).find(signal_name(signal)) != std::string::npos);
    }

    void a_hanging_child_is_killed() {
        const ProbeResult result = run_one(fault_of("hang").c_str(), 3);
        QCOMPARE(result.outcome, ProbeOutcome::hung);
        QVERIFY(verdict(result).find("exceeded its time limit") != std::string::npos);
    }

    /// The signals that end the whole program do not end its children.
    void a_hanging_child_ends_with_its_parent() {
        const int index = index_of(canary_probes(query_cpu(), kLayers), kProbe);
        std::vector<std::string> words = to_arguments({.device = "cpu", .first = index, .count = 1});
        words.insert(words.begin(), this_program().string());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        qputenv("KINESCOPE_CANARY_FAULT", fault_of("hang").c_str());
        const pid_t child = ::fork();
        if (child == 0) {
            ::dup2(ends[1], STDOUT_FILENO);
            for (const int end : ends) ::close(end);
            ::execv(argv[0], argv.data());
            ::_exit(1);
        }
        qunsetenv("KINESCOPE_CANARY_FAULT");
        ::close(ends[1]);
        bool has_ended = false;
        const auto end_child = qScopeGuard([&] {
            if (has_ended) return;
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        });
        std::string said;
        for (char letter = 0; said.find("begin") == std::string::npos && ::read(ends[0], &letter, 1) == 1;)
            said += letter;
        QVERIFY2(said.find("begin") != std::string::npos, said.c_str());
        ::close(ends[0]);  // as at the end of the parent
        QTRY_VERIFY_WITH_TIMEOUT(has_ended = has_ended || ::waitpid(child, nullptr, WNOHANG) == child, 20'000);
    }

    void a_wrong_result_is_a_verdict() {
        const ProbeResult result = run_one(fault_of("wrong").c_str());
        QCOMPARE(result.outcome, ProbeOutcome::wrong);
        QVERIFY(verdict(result).find("error of 1") != std::string::npos);
    }

    void the_remaining_probes_run_and_workarounds_are_searched() {
        qputenv("KINESCOPE_CANARY_FAULT", "causal attention, float32:SIGFPE:planned");
        const CanaryReport report = run_canary(
            {.program = this_program(), .device = query_cpu(), .row_layers = kLayers, .time_limit_seconds = 280});
        qunsetenv("KINESCOPE_CANARY_FAULT");
        for (const auto& result : report.results) {
            const bool is_planted = result.probe.name.find("causal attention, float32") == 0;
            QCOMPARE(result.outcome, is_planted ? ProbeOutcome::killed : ProbeOutcome::passed);
            QCOMPARE(result.fixed_by.no_onednn, is_planted);
        }
        QVERIFY(report.switches().no_onednn);
        QVERIFY(apply_canary(query_cpu(), report).faulty_dtypes.empty());
    }

    /// Only a few children are started for each dtype, so most of its probes do not run.
    void a_dtype_that_ends_every_process_does_not_hide_the_others() {
        qputenv("KINESCOPE_CANARY_FAULT", ", bfloat16 :SIGSEGV");
        const CanaryReport report = run_canary(
            {.program = this_program(), .device = query_cpu(), .row_layers = kLayers, .time_limit_seconds = 280});
        qunsetenv("KINESCOPE_CANARY_FAULT");
        for (const auto& result : report.results)
            QVERIFY2(result.failed() == (result.probe.dtype == at::kBFloat16) &&
                         (result.failed() || result.outcome == ProbeOutcome::passed),
                     verdict(result).c_str());
        QVERIFY(apply_canary(cuda_device(9, 0), report).faulty_dtypes == std::set<std::string>{"bfloat16"});
    }

    /// Four faults in each dtype are enough for the limit of children, but not for giving up the rest of a dtype.
    void a_few_faults_in_each_dtype_hide_no_probe() {
        qputenv("KINESCOPE_CANARY_FAULT", "Wan 14B:SIGSEGV");
        const CanaryReport report = run_canary(
            {.program = this_program(), .device = query_cpu(), .row_layers = kLayers, .time_limit_seconds = 280});
        qunsetenv("KINESCOPE_CANARY_FAULT");
        for (const auto& result : report.results) {
            const bool is_planted = result.probe.name.find("Wan 14B") != std::string::npos;
            QVERIFY2(result.failed() == is_planted && (is_planted || result.outcome == ProbeOutcome::passed),
                     (result.probe.name + ": " + verdict(result)).c_str());
        }
    }

    /// The probes behind the last child run with the switches that fix those before it.
    void switches_that_fix_many_probes_are_used_for_the_rest() {
        qputenv("KINESCOPE_CANARY_FAULT", ", bfloat16 :SIGFPE:planned");
        const CanaryReport report = run_canary(
            {.program = this_program(), .device = query_cpu(), .row_layers = kLayers, .time_limit_seconds = 280});
        qunsetenv("KINESCOPE_CANARY_FAULT");
        QVERIFY(report.switches().no_onednn);
        for (const auto& result : report.results)
            QVERIFY2(result.fixed_by.no_onednn || result.outcome == ProbeOutcome::passed, verdict(result).c_str());
        QVERIFY(apply_canary(cuda_device(9, 0), report).faulty_dtypes.empty());
    }

    void a_dtype_that_fails_without_a_workaround_is_removed() {
        const DeviceCapability device = cuda_device(9, 0);
        const CanaryReport half = {{result_of(at::kBFloat16, ProbeOutcome::killed)}};
        QCOMPARE(compute_support(apply_canary(device, half), at::kBFloat16), DtypeSupport::none);
        QCOMPARE(compute_support(apply_canary(device, half), at::kHalf), DtypeSupport::native);
        QVERIFY(apply_canary(device, half).unusable.empty());
        const CanaryReport repaired = {{result_of(at::kBFloat16, ProbeOutcome::killed, {.plain_cublas = true})}};
        QCOMPARE(compute_support(apply_canary(device, repaired), at::kBFloat16), DtypeSupport::native);
        QVERIFY(repaired.switches().plain_cublas);
    }

    void a_fast_path_is_used_if_all_its_probes_passed_data() {
        using enum ProbeOutcome;
        QTest::addColumn<QVector<int>>("norms");
        QTest::addColumn<bool>("isUsed");
        const auto add = [](const char* name, std::initializer_list<ProbeOutcome> outcomes, bool is_used) {
            QVector<int> norms;
            for (const ProbeOutcome outcome : outcomes) norms << static_cast<int>(outcome);
            QTest::newRow(name) << norms << is_used;
        };
        add("no probes", {}, false);
        add("all passed", {passed, passed}, true);
        add("one wrong", {passed, wrong}, false);
        add("one slower", {slower, passed}, false);
        add("not compiled", {refused, refused}, false);
        add("one killed", {passed, killed}, false);
        add("one did not fit into memory", {passed, not_run}, false);
    }
    void a_fast_path_is_used_if_all_its_probes_passed() {
        QFETCH(QVector<int>, norms);
        QFETCH(bool, isUsed);
        CanaryReport report;
        const auto add = [&](CanaryOp op, ProbeOutcome outcome) {
            report.results.push_back({.probe = {.name = "probe", .op = op, .dtype = at::kFloat}, .outcome = outcome});
        };
        for (const int outcome : norms) add(CanaryOp::fused_norm, static_cast<ProbeOutcome>(outcome));
        add(CanaryOp::fused_sum, ProbeOutcome::passed);
        FastPaths expected{FastPath::fused_sum};
        if (isUsed) expected.insert(FastPath::fused_norm);
        const DeviceCapability device = apply_canary(cuda_device(9, 0), report);
        QCOMPARE(device.fast_paths, expected);
        QVERIFY2(device.unusable.empty() && device.faulty_dtypes.empty(), device.unusable.text.c_str());
    }

    void a_fast_path_must_be_right_and_not_slower_data() {
        QTest::addColumn<QString>("end");
        QTest::addColumn<int>("outcome");
        const auto add = [](const char* end, ProbeOutcome outcome) {
            QTest::newRow(end) << end << static_cast<int>(outcome);
        };
        add("1e-6 0.5 1e-5 2e-5", ProbeOutcome::passed);
        add("1e-6 0.5 2e-5 2e-5", ProbeOutcome::passed);
        add("1e-6 0.5 3e-5 2e-5", ProbeOutcome::slower);
        add("1e-6 0.5 nan 2e-5", ProbeOutcome::slower);
        add("1e-1 0.5 1e-5 2e-5", ProbeOutcome::wrong);
        add("1e-1 0.5 3e-5 2e-5", ProbeOutcome::wrong);
        add("nan 0.5 1e-5 2e-5", ProbeOutcome::wrong);
    }
    void a_fast_path_must_be_right_and_not_slower() {
        QFETCH(QString, end);
        QFETCH(int, outcome);
        CanaryReport report{.results = {{.probe = {.name = "probe", .op = CanaryOp::fused_sum, .tolerance = 1e-3}}}};
        merge_child({.output = "begin 0\nend 0 " + end.toStdString() + "\n"}, 0, report);
        QCOMPARE(static_cast<int>(report.results[0].outcome), outcome);
    }

    void one_failing_probe_of_float32_leaves_the_device_usable() {
        const DeviceCapability device = cuda_device(9, 0);
        const ProbeResult passed = result_of(at::kFloat, ProbeOutcome::passed);
        const ProbeResult hung = result_of(at::kFloat, ProbeOutcome::hung);
        const DeviceCapability usable = apply_canary(device, {.results = {passed, passed, hung}});
        QVERIFY2(usable.unusable.empty(), usable.unusable.text.c_str());
        QCOMPARE(compute_support(usable, at::kFloat), DtypeSupport::native);
        QCOMPARE(apply_canary(device, {.results = {passed, hung, hung}}).unusable.code, std::string("canary_failed"));
    }

    void a_failure_to_start_is_reported_and_stops_the_canary() {
        qputenv("KINESCOPE_CANARY_FAULT", "environment:no-driver");
        const CanaryReport report = run_canary(
            {.program = this_program(), .device = query_cpu(), .row_layers = kLayers, .time_limit_seconds = 280});
        qunsetenv("KINESCOPE_CANARY_FAULT");
        QCOMPARE(report.environment, std::string("CUDA driver version is insufficient"));
        QVERIFY(!report.results.empty());
        for (const auto& result : report.results) QCOMPARE(result.outcome, ProbeOutcome::not_run);
        QVERIFY(!report.ran());
        const LocalizableMessage why = apply_canary(cuda_device(9, 0), report).unusable;
        QCOMPARE(why.code, std::string("canary_environment"));
        QVERIFY(why.text.find("driver version is insufficient") != std::string::npos);
    }

    void a_crash_before_the_first_probe_is_not_a_verdict() {
        CanaryReport report{.results = std::vector<ProbeResult>(2)};
        QCOMPARE(merge_child({.exit_code = 127}, 0, report), 0);
        QCOMPARE(report.environment, std::string("the process ended with exit code 127"));
        QCOMPARE(report.results[0].outcome, ProbeOutcome::not_run);
    }

    /// cuBLAS and cuDNN report a lost device with their own codes. The next probe would fail as well, without a fault.
    void a_lost_device_ends_the_child_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("ends");
        QTest::newRow("lost") << "lost" << true;
        QTest::newRow("full memory") << "full" << false;
    }
    void a_lost_device_ends_the_child() {
        QFETCH(QString, what);
        QFETCH(bool, ends);
        const int index = index_of(canary_probes(query_cpu(), kLayers), kProbe);
        qputenv("KINESCOPE_CANARY_FAULT", fault_of(what.toStdString()).c_str());
        const ChildEnd end = run_child({.program = this_program(),
                                        .arguments = to_arguments({.device = "cpu", .first = index, .count = 2}),
                                        .time_limit_seconds = 200});
        qunsetenv("KINESCOPE_CANARY_FAULT");
        QVERIFY(end.output.find("refused " + std::to_string(index)) != std::string::npos);
        QCOMPARE(end.output.find("begin " + std::to_string(index + 1)) == std::string::npos, ends);
    }

    void after_a_device_fault_the_next_child_continues() {
        CanaryReport report{.results = std::vector<ProbeResult>(3)};
        QCOMPARE(merge_child({.output = "begin 0\nrefused 0 CUDA error: an illegal memory access\n"}, 0, report), 1);
        QCOMPARE(report.results[0].outcome, ProbeOutcome::refused);
        QCOMPARE(merge_child({.output = "begin 1\n", .signal = SIGFPE}, 1, report), 2);
        QCOMPARE(report.results[1].outcome, ProbeOutcome::killed);
        QVERIFY(report.environment.empty());
    }

    /// LibTorch uses cuBLASLt for products with a bias, even if another BLAS is preferred, unless this variable is set.
    void plain_cublas_avoids_cublaslt() {
        qunsetenv("DISABLE_ADDMM_CUDA_LT");
        apply_backend_switches({.plain_cublas = true});
        QCOMPARE(qgetenv("DISABLE_ADDMM_CUDA_LT"), QByteArray("1"));
        qunsetenv("DISABLE_ADDMM_CUDA_LT");
    }

    void products_avoid_cublaslt_and_convolutions_avoid_cudnn() {
        const DeviceCapability device = cuda_device(9, 0);
        QCOMPARE(alternatives({.op = CanaryOp::linear}, device).front().plain_cublas, true);
        QCOMPARE(alternatives({.op = CanaryOp::conv2d}, device).front().no_cudnn, true);
    }

    void an_order_round_trips_through_arguments() {
        const CanaryOrder order{.device = "cuda:1", .first = 3, .count = 2, .switches = {.plain_cublas = true}};
        const auto parsed = parse_order(to_arguments(order));
        QVERIFY(parsed.has_value());
        QCOMPARE(parsed->device, order.device);
        QCOMPARE(parsed->first, 3);
        QCOMPARE(parsed->count, 2);
        QVERIFY(parsed->switches == order.switches);
        QVERIFY(!parse_order({"generate", "cpu", "0", "1"}));
        QVERIFY(!parse_order({kCanaryCommand, "cpu", "-1", "1"}));
        QVERIFY(!parse_order({kCanaryCommand, "cpu", "0", "1", "no-such-switch"}));
    }

    void full_memory_is_not_a_verdict_about_the_device_data() {
        QTest::addColumn<QString>("message");
        QTest::addColumn<bool>("isFull");
        const auto add = [](const char* message, bool is_full) { QTest::newRow(message) << message << is_full; };
        add("CUDA out of memory. Tried to allocate", true);
        add("CUDA error: out of memory", true);
        add("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", true);
        add("CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`", true);
        add("cuDNN error: CUDNN_STATUS_ALLOC_FAILED", true);
        add("no kernel image", false);
        add("GET was unable to find an engine to execute this computation", false);
    }
    void full_memory_is_not_a_verdict_about_the_device() {
        QFETCH(QString, message);
        QFETCH(bool, isFull);
        CanaryReport report{.results = std::vector<ProbeResult>(1)};
        merge_child({.output = "begin 0\nrefused 0 " + message.toStdString() + "\n"}, 0, report);
        QCOMPARE(report.results[0].outcome, isFull ? ProbeOutcome::not_run : ProbeOutcome::refused);
        QCOMPARE(report.results[0].message, message.toStdString());
        QCOMPARE(report.is_complete(), !isFull);
    }

    /// Without memory to load the fused kernels, their probes are skipped. They must not count as complete.
    void kernels_that_did_not_fit_into_memory_are_tried_again_data() {
        QTest::addColumn<QString>("message");
        QTest::addColumn<bool>("isComplete");
        QTest::newRow("full memory") << "CUDA error: out of memory (in cuModuleLoadData)" << false;
        QTest::newRow("no compiler") << "the fused kernels are off: NVIDIA's compiler is missing" << true;
    }
    void kernels_that_did_not_fit_into_memory_are_tried_again() {
        QFETCH(QString, message);
        QFETCH(bool, isComplete);
        CanaryReport report{.results = std::vector<ProbeResult>(2)};
        report.results[0].probe.op = CanaryOp::fused_load;
        report.results[1].probe = {.name = "probe", .op = CanaryOp::fused_norm, .tolerance = 1};
        merge_child({.output = "begin 0\nrefused 0 " + message.toStdString() + "\nskipped 1\n"}, 0, report);
        QCOMPARE(report.results[0].lacked_memory(), !isComplete);
        QCOMPARE(report.results[1].lacked_memory(), !isComplete);
        QCOMPARE(report.is_complete(), isComplete);
        merge_child({.output = "begin 0\nend 0 0 0.1 0 0\nbegin 1\nend 1 0 0.1 1 2\n"}, 0, report);
        QVERIFY(report.is_complete());
        QCOMPARE(report.fast_paths(), FastPaths{FastPath::fused_norm});
    }

    void only_probes_that_lacked_memory_run_again() {
        constexpr double kNotRunAgain = -1;
        CanaryRequest request{
            .program = this_program(), .device = query_cpu(), .row_layers = kLayers, .time_limit_seconds = 280};
        for (auto& probe : canary_probes(request.device, kLayers))
            request.known.results.push_back(
                {.probe = std::move(probe), .outcome = ProbeOutcome::passed, .seconds = kNotRunAgain});
        const auto lacking = static_cast<std::size_t>(index_of(canary_probes(request.device, kLayers), kProbe));
        request.known.results[lacking].outcome = ProbeOutcome::not_run;
        request.known.results[lacking].message = "CUDA out of memory";
        qputenv("KINESCOPE_CANARY_FAULT", fault_of("full").c_str());
        const CanaryReport still_full = run_canary(request);
        qunsetenv("KINESCOPE_CANARY_FAULT");
        QVERIFY(still_full.results[lacking].lacked_memory());
        QVERIFY(!still_full.is_complete());
        const CanaryReport report = run_canary(request);
        QVERIFY(report.is_complete());
        for (std::size_t i = 0; i < report.results.size(); ++i) {
            QCOMPARE(report.results[i].outcome, ProbeOutcome::passed);
            QCOMPARE(report.results[i].seconds != kNotRunAgain, i == lacking);
        }
    }

    void nan_is_a_wrong_result() {
        CanaryReport report{.results = std::vector<ProbeResult>(1)};
        report.results[0].probe.tolerance = 1;
        merge_child({.output = "begin 0\nend 0 nan 0.1\n"}, 0, report);
        QCOMPARE(report.results[0].outcome, ProbeOutcome::wrong);
        QVERIFY(verdict(report.results[0]).find("NaN or infinity") != std::string::npos);
    }

    void a_report_is_kept_by_device_driver_and_libraries() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("canary.json").toStdString();
        const DeviceCapability device = cuda_device(9, 0, "NVIDIA H20");
        CanaryReport report;
        for (auto& probe : canary_probes(device, kLayers))
            report.results.push_back({.probe = std::move(probe), .outcome = ProbeOutcome::passed});
        report.results[3].outcome = ProbeOutcome::killed;
        report.results[3].signal = SIGFPE;
        report.results[3].fixed_by.plain_cublas = true;
        report.results[4].error = NAN;
        report.results.back().outcome = ProbeOutcome::slower;
        report.results.back().fast_seconds = 2;
        const CanaryCache cache(file, {{"libtorch", "2.11.0"}}, CpuLevel::avx2);
        QVERIFY(!cache.find(device, kLayers));
        cache.keep(device, report);
        const auto kept = cache.find(device, kLayers);
        QVERIFY(kept.has_value());
        QCOMPARE(kept->results[3].signal, SIGFPE);
        QVERIFY(kept->switches().plain_cublas);
        QCOMPARE(kept->results.back().outcome, ProbeOutcome::slower);
        QCOMPARE(kept->results.back().fast_seconds, 2.0);
        QVERIFY(!CanaryCache(file, {{"libtorch", "2.12.0"}}, CpuLevel::avx2).find(device, kLayers));
        DeviceCapability other = device;
        other.driver = "13.1";
        QVERIFY(!cache.find(other, kLayers));
        QVERIFY(!cache.find(device, {}));
    }

    /// AVX2 with and without AVX-VNNI are the same capability of the device.
    void a_report_of_the_cpu_is_kept_by_level() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("canary.json").toStdString();
        const auto cache = [&file](CpuLevel level) { return CanaryCache(file, {{"libtorch", "2.11.0"}}, level); };
        const auto keep = [&cache](const DeviceCapability& device) {
            CanaryReport report;
            for (auto& probe : canary_probes(device, kLayers)) report.results.push_back({.probe = std::move(probe)});
            cache(CpuLevel::avx2).keep(device, report);
        };
        for (const DeviceCapability& device : {cpu_device(), cuda_device(9, 0)}) keep(device);
        QVERIFY(cache(CpuLevel::avx2).find(cpu_device(), kLayers));
        QVERIFY(!cache(CpuLevel::avx2_vnni).find(cpu_device(), kLayers));
        QVERIFY(cache(CpuLevel::avx2_vnni).find(cuda_device(9, 0), kLayers));
    }
};

int main(int argc, char** argv) {
    if (const auto order = parse_order(std::vector<std::string>(argv + 1, argv + argc)))
        return run_canary_child(*order, kLayers);
    QCoreApplication application(argc, argv);
    TestCanary test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_canary.moc"
