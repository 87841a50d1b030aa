#include "core/jobs/tools/guarded_weights.h"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <utility>

#include "core/api/killed_reader.h"
#include "core/api/normal_path.h"
#include "core/base/child_words.h"
#include "core/base/file_stamp.h"
#include "core/models/discovery/layout_family.h"
#include "core/models/discovery/weight_files.h"
#include "core/weights/checkpoint_reader.h"
#include "core/weights/lora_file.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// Describes the state of a file without reading it.
std::string state_of_file(const fs::path& file) {
    const FileStamp stamp = file_stamp(file).value_or(FileStamp());
    std::string state = file.string();
    for (const std::int64_t number : {stamp.device, stamp.inode, stamp.bytes, stamp.modified_ns})
        state += ' ' + std::to_string(number);
    return state + '\n';
}

/// The state of everything that open_checkpoint(path) may read. An index refers to the files beside it.
std::string state_of(const fs::path& path) {
    std::error_code error;
    const bool is_folder = fs::is_directory(path, error);
    if (!is_folder && path.extension() != ".json") return state_of_file(path);
    std::vector<std::string> states;
    for (fs::directory_iterator it(is_folder ? path : path.parent_path(), error), end; !error && it != end;
         it.increment(error))
        states.push_back(state_of_file(it->path()));
    std::ranges::sort(states);
    std::string all;
    for (const std::string& state : states) all += state;
    return all;
}

/// Reads everything that the program reads from a header.
void read_headers(const fs::path& path) {
    const auto reader = open_checkpoint(path);
    recognize_parts(TensorCatalog(reader));
    if (is_lora(*reader) && !fs::is_directory(path)) read_lora(path);
}

}  // namespace

std::string answer_about_weights(std::string_view message) {
    return answer_or_refuse([&] {
        try {
            read_headers(take_word(message).value_or(""));
        } catch (const Error&) {  // the parent opens the file and reports the error
        }
        return answer_of({});
    });
}

int serve_weight_reader(std::string_view memory_bytes) {
    ServiceLimits limits{.memory_bytes = kWeightReaderBytes, .memory = LimitedMemory::data};
    std::from_chars(memory_bytes.data(), memory_bytes.data() + memory_bytes.size(), limits.memory_bytes);
    return serve_parent(answer_about_weights, limits);
}

GuardedWeights::GuardedWeights(const fs::path& program, const fs::path& memory, std::int64_t memory_bytes)
    : remembered_(memory) {
    if (!program.empty())
        child_ = std::make_unique<ChildServer>(ServerProgram{
            .program = program, .arguments = {std::string(kWeightReaderCommand), std::to_string(memory_bytes)}});
}

void GuardedWeights::check(const fs::path& path, const IsCancelled& is_cancelled) {
    if (!child_ || path.empty()) return;  // open_checkpoint refuses a component without files
    const fs::path whole = normal_path(fs::absolute(path));
    std::string state = state_of(whole);
    lock_.lock(is_cancelled);
    const std::lock_guard lock(lock_, std::adopt_lock);
    auto& known = known_[whole];
    if (known.state != state) known = examined(path, whole, std::move(state), is_cancelled);
    if (known.error) throw *known.error;
}

GuardedWeights::Known GuardedWeights::examined(const fs::path& path, const fs::path& whole, std::string state,
                                               const IsCancelled& is_cancelled) {
    if (remembered_.contains(whole, state)) return {.state = std::move(state), .error = {}};
    Known known{.state = std::move(state), .error = error_of(path, is_cancelled)};
    if (known.error && is_of_killed_reader(*known.error)) known.state.clear();  // the next time, it is read again
    // A file that was replaced meanwhile may not be the one that the child has read.
    if (!known.error && state_of(whole) == known.state) remembered_.add(whole, known.state);
    return known;
}

/// Names the file in a folder that made the child fail, if that file alone does so.
std::optional<Error> GuardedWeights::error_of(const fs::path& path, const IsCancelled& is_cancelled) {
    const auto error = ask(path, is_cancelled);
    std::error_code ignored;
    if (!error || is_of_stalled_reader(*error) || !fs::is_directory(path, ignored)) return error;
    for (const fs::path& file : find_weight_files(path, 0))
        if (auto of_file = ask(file, is_cancelled)) return of_file;
    return error;
}

std::optional<Error> GuardedWeights::ask(const fs::path& file, const IsCancelled& is_cancelled) {
    try {
        ask_child(*child_, {file.string()}, file, is_cancelled);
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

}  // namespace kinescope
