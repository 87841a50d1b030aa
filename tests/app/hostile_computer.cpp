// An engine whose answers about results are wrong: hostile_computer MODE, see test_hostile_computers.
#include <cstdio>
#include <string>

#include "core/api/version.h"
#include "core/remote/engine_server.h"
#include "tests/app/files_calls.h"
#include "tests/app/stub_engine.h"

using namespace kinescope;
using namespace kinescope::testing;
using remote::Json;

namespace {

Json listing_of(const std::string& mode, const std::string& token) {
    std::string name = "results/" + token + "/video.mp4";
    Json bytes = 10;
    if (mode == "outside") name = "results/" + token + "/../../../evil";
    if (mode == "another_job") name = "results/" + std::string(32, 'f') + "/video.mp4";
    if (mode == "too_large") bytes = std::int64_t{1} << 60;
    if (mode == "negative") bytes = -1;
    if (mode == "no_list") return {{"name", name}};
    return Json::array({{{"name", name}, {"bytes", bytes}, {"sha256", std::string(64, '0')}}});
}

Json part_of(const std::string& mode, std::size_t count) {
    if (mode == "short_part") count /= 2;
    if (mode == "long_part") count += 1000;
    return Json::binary(std::vector<std::uint8_t>(count, 'x'));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "escapes")
        std::fputs(
            "\x1b]0;evil\a\x1b[2J \xc2\x9b"
            "2J\r\nlast words",
            stderr);
    StubScript script;
    script.card = small_card();
    script.run = [](const VideoRequest& request) {
        return std::vector<RunEvent>{RunStarted{.request = request}, RunFinished{{.output = request.output.file}}};
    };
    ParentChannels parent = take_parent_channels();
    remote::EngineServer server(
        std::move(parent.in), std::move(parent.out),
        {.version = kVersion,
         .more_calls = {
             files_about_call(),
             call_of(
                 "files.list",
                 [&](Engine&, const Json& arguments) { return listing_of(mode, arguments.at(0).get<std::string>()); }),
             call_of("files.get",
                     [&](Engine&, const Json& arguments) { return part_of(mode, arguments.at(2).get<std::size_t>()); }),
             call_of("jobs.submit_once", [&](Engine& engine, const Json& arguments) -> Json {
                 VideoRequest request;
                 request.output.file = "/tmp/results/" + arguments.at(0).get<std::string>() + "/video.mp4";
                 Job job{.id = 1, .request = request, .state = JobState::running};
                 server.observer().on_event(0, QueueChanged{{job}});
                 return engine.jobs().submit(request);
             })}});
    server.run([&](RunObserver& observer) { return std::make_unique<StubEngine>(script, observer); });
    return 0;
}
