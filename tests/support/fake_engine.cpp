#include "tests/support/fake_engine.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace kinescope::testing {

FakeEngine::FakeEngine(Script script, RunObserver& observer) : script_(std::move(script)), observer_(observer) {}

FakeEngine::~FakeEngine() {
    cancel(last_job_);
    for (std::thread& thread : threads_) thread.join();
}

void FakeEngine::release() {
    std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
}

JobId FakeEngine::submit(VideoRequest request) {
    std::lock_guard lock(mutex_);
    cancelled_ = false;
    const JobId job = ++last_job_;
    threads_.emplace_back(
        [this, job, events = script_(resolve_request(std::move(request), demoCard()))] { play(job, events); });
    return job;
}

void FakeEngine::cancel(JobId) {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    changed_.notify_all();
}

bool FakeEngine::waitForRelease() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return released_ || cancelled_; });
    return !cancelled_;
}

void FakeEngine::play(JobId job, const std::vector<RunEvent>& events) {
    int steps = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const bool go_on = i < hold_after_ || waitForRelease();
        std::unique_lock lock(mutex_);
        const bool cancelled = cancelled_;
        lock.unlock();
        if (!go_on || cancelled) {
            observer_.on_event(job, RunCancelled{steps, {}});
            return;
        }
        if (std::holds_alternative<StepCompleted>(events[i])) ++steps;
        if (const auto* finished = std::get_if<RunFinished>(&events[i]))
            std::ofstream(finished->result.output) << "a video";
        observer_.on_event(job, events[i]);
    }
}

ModelCard FakeEngine::card(const std::string& model) {
    ModelCard card = demoCard();
    card.id = model;
    if (model == kImageModel) {
        card.tasks = {Task::image_to_video, Task::first_last_frame_to_video};
        card.takes_prompt = false;
        card.default_guidance_scale_2 = 3.5;
        card.extra_fields = {{"motion_bucket_id", 127, 1, 255}, {"noise_aug_strength", 0.02, 0, 10}};
    }
    return card;
}
std::vector<ModelCard> FakeEngine::models() {
    return {demoCard()};
}
CheckpointDescription FakeEngine::describe_checkpoint(const std::filesystem::path& path) {
    return {path, demoCard(), {}, {}, {}, {}};
}

DoctorReport FakeEngine::doctor(CanaryMode) {
    DeviceReport cpu{.device = devices().front(),
                     .canary = {},
                     .canary_summary = "all 60 operations agree with float32 on the CPU",
                     .known_bad = {},
                     .policy = demoPolicy()};
    return {.version = "1", .libraries = {{"libtorch", "2.11.0"}}, .settings = {}, .devices = {std::move(cpu)}};
}

std::vector<DeviceInfo> FakeEngine::devices() {
    constexpr std::int64_t kGigabyte = 1'000'000'000;
    return {{"cpu",
             "CPU, 8 cores",
             "AVX2",
             16 * kGigabyte,
             12 * kGigabyte,
             {"float32"},
             "float32",
             "This CPU has no bf16 arithmetic"}};
}

Plan FakeEngine::plan(const VideoRequest& request) {
    Plan plan;
    plan.card = demoCard();
    plan.request = resolve_request(request, plan.card);
    plan.policy = demoPolicy();
    const std::vector<std::pair<std::string, std::int64_t>> parts{{"weights", 80'000'000},
                                                                  {"activations", 240'000'000}};
    plan.phases = {{Phase::load, 1, 80'000'000, {}},
                   {Phase::encode, 1, 90'000'000, {}},
                   {Phase::denoise, 14, 320'000'000, parts},
                   {Phase::decode, 3, 300'000'000, {}},
                   {Phase::save, 1, 90'000'000, {}}};
    plan.peak_memory_bytes = 320'000'000;
    plan.free_memory_bytes = 12'000'000'000;
    plan.seconds = 20;
    return plan;
}

int FakeEngine::count_tokens(const std::string&, const std::string& prompt) {
    std::istringstream words(prompt);
    return 1 + static_cast<int>(std::distance(std::istream_iterator<std::string>(words), {}));
}

VerifyReport FakeEngine::verify(const std::filesystem::path& case_dir, const VerifyOptions&) {
    return {case_dir, {}, true};
}
CompareReport FakeEngine::compare(const std::filesystem::path&, const std::filesystem::path&, const CompareTolerance&) {
    return {.kind = "logs", .num_compared = 1, .passed = true};
}

std::vector<BenchRow> FakeEngine::bench(const VideoRequest&, int) {
    return {};
}
VideoRequest FakeEngine::read_settings(const std::filesystem::path& video) {
    throw Error(ErrorCode::no_settings, video.string() + " holds no settings");
}

}  // namespace kinescope::testing
