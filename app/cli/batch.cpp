#include "app/cli/batch.h"

#include <cstddef>
#include <set>
#include <sstream>
#include <utility>

#include "app/cli/explore.h"
#include "app/cli/output_name.h"
#include "core/api/output_files.h"
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

ReadRequest read_line(const Line& line, const std::filesystem::path& base, const RequestArguments& arguments) {
    VideoRequest request;
    std::vector<Fault> faults = read_request(parse_request_object(line.text, line.number), base, request);
    ReadRequest read = apply_flags(std::move(request), arguments.flags);
    read.faults.insert(read.faults.begin(), faults.begin(), faults.end());
    return read;
}

/// Returns the requests of a line, one for each combination of the alternatives in its prompt. Throws Error if the line
/// is not a request.
std::vector<ReadRequest> requests_of(const Line& line, const std::filesystem::path& base,
                                     const RequestArguments& arguments) {
    const ReadRequest read = read_line(line, base, arguments);
    std::vector<ReadRequest> requests;
    for (VideoRequest& request : explore(read.request, /*num_seeds=*/1))
        requests.push_back({std::move(request), read.faults});
    return requests;
}

void validate(ReadRequest& read, Engine& engine) {
    try {
        validate_with_card(read, engine);
    } catch (const Error& error) {
        read.faults.push_back({"", error.message(), {}});
    }
}

/// Several requests may write to a terminal, a pipe or /dev/null.
bool is_stream(const std::filesystem::path& output) {
    std::error_code ignored;
    return std::filesystem::is_other(output, ignored);
}

/// Finds lines that write to an output of an earlier line. Two results with the same name would replace each other.
class Outputs {
public:
    void check(ReadRequest& read) {
        const OutputRequest& output = read.request.output;
        std::set<std::filesystem::path> own;
        for (const auto& [field, member] : kOutputFiles) {
            const std::filesystem::path& file = output.*member;
            if (file.empty() || is_stream(file)) continue;
            const std::filesystem::path name = absolute_name(file);
            own.insert(name);
            if (taken_.contains(name))
                read.faults.push_back({field, "two requests of the batch write to '" + name.string() + "'", {}});
        }
        taken_.merge(own);
    }

private:
    std::set<std::filesystem::path> taken_;
};

std::string of_line(const Line& line, const std::string& message) {
    return "line " + std::to_string(line.number) + ": " + message;
}

/// Adds the faults of the alternatives of a line. Leaves out alternatives that have the faults of the first one.
std::vector<ReadRequest> checked_requests(const Line& line, std::vector<ReadRequest> alternatives, Outputs& outputs,
                                          Engine& engine) {
    validate(alternatives.front(), engine);
    if (!alternatives.front().faults.empty()) alternatives.resize(1);
    for (ReadRequest& read : alternatives) {
        if (&read != &alternatives.front()) validate(read, engine);
        outputs.check(read);  // alternatives differ in the names of their outputs
        read.line = line.number;
        for (Fault& fault : read.faults) fault.message = of_line(line, fault.message);
    }
    return alternatives;
}

}  // namespace

std::vector<ReadRequest> read_batch(const std::filesystem::path& file, const RequestArguments& arguments,
                                    Engine& engine) {
    const auto base = folder_of_names(file);
    Outputs outputs;
    std::vector<ReadRequest> requests;
    for (const Line& line : lines_of(file)) {
        try {
            for (ReadRequest& read : checked_requests(line, requests_of(line, base, arguments), outputs, engine))
                requests.push_back(std::move(read));
        } catch (const Error& error) {  // nothing else is known about the line
            requests.push_back({{}, {{"", of_line(line, error.message()), {}}}, line.number});
        }
    }
    return requests;
}

}  // namespace kinescope::cli
