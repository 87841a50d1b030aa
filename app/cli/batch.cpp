#include "app/cli/batch.h"

#include <set>
#include <sstream>

#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

struct Line {
    std::string text;
    int number = 0;
};

std::vector<Line> lines_of(const std::filesystem::path& file) {
    std::istringstream text(read_text_file(file));
    std::vector<Line> lines;
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back({line, number});
    }
    if (lines.empty()) throw Error(ErrorCode::bad_request, "'" + file.string() + "' contains no request");
    return lines;
}

/// Parses a request. Errors name its line in the file.
Json parse_line(const Line& line) {
    try {
        return parse_request_object(line.text);
    } catch (const Error&) {
        return parse_request_object(std::string(static_cast<std::size_t>(line.number - 1), '\n') + line.text);
    }
}

ReadRequest read_line(const Line& line, const std::filesystem::path& base, const RequestArguments& arguments) {
    VideoRequest request;
    std::vector<Fault> faults = read_request(parse_line(line), base, request);
    ReadRequest read = apply_flags(std::move(request), arguments.flags);
    read.faults.insert(read.faults.begin(), faults.begin(), faults.end());
    return read;
}

/// Finds lines that write to the output of an earlier line.
class Outputs {
public:
    void check(ReadRequest& read) {
        if (read.request.output.file.empty()) return;
        const auto output = std::filesystem::absolute(read.request.output.file).lexically_normal();
        if (!taken_.insert(output).second)
            read.faults.push_back({"output", "two requests of the batch write to '" + output.string() + "'", {}});
    }

private:
    std::set<std::filesystem::path> taken_;
};

}  // namespace

std::vector<ReadRequest> read_batch(const std::filesystem::path& file, const RequestArguments& arguments,
                                    Engine& engine) {
    const auto base = std::filesystem::absolute(file).parent_path();
    Outputs outputs;
    std::vector<ReadRequest> requests;
    for (const Line& line : lines_of(file)) {
        ReadRequest read;
        try {
            read = read_line(line, base, arguments);
            validate_with_card(read, engine);
            outputs.check(read);
        } catch (const Error& error) {
            read.faults.push_back({"", error.message(), {}});
        }
        for (Fault& fault : read.faults) fault.message = "line " + std::to_string(line.number) + ": " + fault.message;
        requests.push_back(std::move(read));
    }
    return requests;
}

}  // namespace kinescope::cli
