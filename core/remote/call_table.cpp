#include "core/remote/call_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/protocol/message.h"
#include "core/protocol/protocol_error.h"

namespace kinescope::remote {

namespace {

using protocol::from_document;
using protocol::ProtocolError;
using protocol::to_document;

void require_count(const Json& arguments, std::size_t count) {
    if (!arguments.is_array() || arguments.size() != count)
        throw ProtocolError("expected " + std::to_string(count) + " arguments");
}

template <class... Arguments, std::size_t... index>
std::tuple<Arguments...> read_arguments(const Json& arguments, std::index_sequence<index...>) {
    return {from_document<Arguments>(arguments[index])...};
}

/// Calls a method of one part of the engine with the arguments of a request.
template <class Part, class Result, class... Arguments>
auto runner(Part& (Engine::*part)(), Result (Part::*method)(Arguments...)) {
    return [part, method](Engine& engine, const Json& json, const FrameSender&) -> Json {
        require_count(json, sizeof...(Arguments));
        auto arguments = read_arguments<std::decay_t<Arguments>...>(json, std::index_sequence_for<Arguments...>());
        const auto invoke = [&](const auto&... values) { return ((engine.*part)().*method)(values...); };
        if constexpr (std::is_void_v<Result>) {
            std::apply(invoke, arguments);
            return nullptr;
        } else {
            return to_document<Result>(std::apply(invoke, arguments));
        }
    };
}

/// Frames travel in messages of their own, because together they can exceed the largest message.
Json read_frames(Engine& engine, const Json& arguments, const FrameSender& send_frames) {
    require_count(arguments, 3);
    send_frames(engine.videos().read_frames(from_document<std::filesystem::path>(arguments[0]),
                                            from_document<FrameSelection>(arguments[1]),
                                            from_document<ReadId>(arguments[2])));
    return nullptr;
}

void append(std::vector<Call>& all, std::vector<Call> more) {
    std::ranges::move(more, std::back_inserter(all));
}

std::vector<Call> job_calls() {
    constexpr auto kShort = CallDuration::short_call;
    const auto job = [](auto method) { return runner(&Engine::jobs, method); };
    return {{"jobs.submit", kShort, job(&JobQueue::submit)},
            {"jobs.list", kShort, job(&JobQueue::list)},
            {"jobs.find", kShort, job(&JobQueue::find)},
            {"jobs.cancel", kShort, job(&JobQueue::cancel)},
            {"jobs.pause", kShort, job(&JobQueue::pause)},
            {"jobs.resume", kShort, job(&JobQueue::resume)},
            {"jobs.decode_now", kShort, job(&JobQueue::decode_now)},
            {"jobs.start", kShort, job(&JobQueue::start)},
            {"jobs.hand_over", kShort, job(&JobQueue::hand_over)},
            {"jobs.retry", kShort, job(&JobQueue::retry)},
            {"jobs.move", kShort, job(&JobQueue::move)},
            {"jobs.edit", kShort, job(&JobQueue::edit)},
            {"jobs.remove", kShort, job(&JobQueue::remove)},
            {"jobs.hold", kShort, job(&JobQueue::hold)},
            {"jobs.release", kShort, job(&JobQueue::release)}};
}

std::vector<Call> catalog_calls() {
    constexpr auto kLong = CallDuration::long_call;
    using CardOfModel = ModelCard (ModelCatalog::*)(const std::string&);
    using CardOfRequest = ModelCard (ModelCatalog::*)(const VideoRequest&);
    const auto catalog = [](auto method) { return runner(&Engine::catalog, method); };
    return {{"catalog.models", kLong, catalog(&ModelCatalog::models)},
            {"catalog.card", kLong, catalog(static_cast<CardOfModel>(&ModelCatalog::card))},
            {"catalog.card_of_request", kLong, catalog(static_cast<CardOfRequest>(&ModelCatalog::card))},
            {"catalog.describe_checkpoint", kLong, catalog(&ModelCatalog::describe_checkpoint)},
            {"catalog.check_file", kLong, catalog(&ModelCatalog::check_file),
             [](Engine& engine, const Json& arguments) {
                 engine.catalog().cancel_check(from_document<CheckId>(arguments.at(1)));
             }},
            {"catalog.cancel_check", CallDuration::short_call, catalog(&ModelCatalog::cancel_check)},
            {"catalog.presets", kLong, catalog(&ModelCatalog::presets)},
            {"catalog.plan", kLong, catalog(&ModelCatalog::plan)},
            {"catalog.count_tokens", kLong, catalog(&ModelCatalog::count_tokens)}};
}

std::vector<Call> diagnostics_calls() {
    constexpr auto kLong = CallDuration::long_call;
    const auto diagnostics = [](auto method) { return runner(&Engine::diagnostics, method); };
    const auto stop = [](Engine& engine, const Json& arguments) {  // the id is the last argument
        engine.diagnostics().cancel_diagnostic(from_document<DiagnosticId>(arguments.at(arguments.size() - 1)));
    };
    return {{"diagnostics.devices", kLong, diagnostics(&Diagnostics::devices)},
            {"diagnostics.doctor", kLong, diagnostics(&Diagnostics::doctor)},
            {"diagnostics.forget_overrides", kLong, diagnostics(&Diagnostics::forget_overrides)},
            {"diagnostics.verify", kLong, diagnostics(&Diagnostics::verify), stop},
            {"diagnostics.bench", kLong, diagnostics(&Diagnostics::bench), stop},
            {"diagnostics.compare", kLong, diagnostics(&Diagnostics::compare), stop},
            {"diagnostics.guard_demo", kLong, diagnostics(&Diagnostics::guard_demo), stop},
            {"diagnostics.cancel_diagnostic", CallDuration::short_call, diagnostics(&Diagnostics::cancel_diagnostic)}};
}

std::vector<Call> video_calls() {
    constexpr auto kLong = CallDuration::long_call;
    const auto videos = [](auto method) { return runner(&Engine::videos, method); };
    return {{"videos.read_settings", kLong, videos(&VideoFiles::read_settings)},
            {"videos.describe_video", kLong, videos(&VideoFiles::describe_video)},
            {"videos.read_frames", kLong, read_frames,
             [](Engine& engine, const Json& arguments) {
                 engine.videos().cancel_read(from_document<ReadId>(arguments.at(2)));
             }},
            {"videos.cancel_read", CallDuration::short_call, videos(&VideoFiles::cancel_read)},
            {"videos.export_video", kLong, videos(&VideoFiles::export_video),
             [](Engine& engine, const Json& arguments) {
                 engine.videos().cancel_export(from_document<ExportId>(arguments.at(1)));
             }},
            {"videos.cancel_export", CallDuration::short_call, videos(&VideoFiles::cancel_export)},
            {"videos.finish_video", kLong, videos(&VideoFiles::finish_video),
             [](Engine& engine, const Json& arguments) {
                 engine.videos().pause_finish(from_document<FinishId>(arguments.at(1)));
             }},
            {"videos.cancel_finish", CallDuration::short_call, videos(&VideoFiles::cancel_finish)},
            {"videos.pause_finish", CallDuration::short_call, videos(&VideoFiles::pause_finish)},
            {"videos.estimate_export", kLong, videos(&VideoFiles::estimate_export)}};
}

std::vector<Call> gpu_calls() {
    const auto gpu = [](auto method) { return runner(&Engine::gpu_installer, method); };
    return {{"gpu_installer.setup", CallDuration::long_call, gpu(&GpuInstaller::setup)},
            {"gpu_installer.install", CallDuration::long_call, gpu(&GpuInstaller::install),
             [](Engine& engine, const Json& arguments) {
                 engine.gpu_installer().stop(from_document<InstallId>(arguments.at(0)));
             }},
            {"gpu_installer.stop", CallDuration::short_call, gpu(&GpuInstaller::stop)}};
}

}  // namespace

const std::vector<Call>& calls() {
    static const std::vector<Call> all = [] {
        std::vector<Call> parts = job_calls();
        append(parts, catalog_calls());
        append(parts, diagnostics_calls());
        append(parts, video_calls());
        append(parts, gpu_calls());
        return parts;
    }();
    return all;
}

const Call* find_call(const std::string& name) {
    const auto found = std::ranges::find(calls(), name, &Call::name);
    return found == calls().end() ? nullptr : &*found;
}

}  // namespace kinescope::remote
