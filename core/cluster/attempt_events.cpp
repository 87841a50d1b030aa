#include "core/cluster/attempt_events.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/log_line.h"
#include "core/protocol/message.h"
#include "core/protocol/protocol_error.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEvents = "events";
constexpr const char* kPreview = "preview";
constexpr std::int64_t kBetweenProgressMs = 500;

std::int64_t now_ms() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

template <class... Types>
bool is_one_of(const RunEvent& event) {
    return (std::holds_alternative<Types>(event) || ...);
}

bool belongs_to_run(const RunEvent& event) {
    return is_one_of<RunStarted, PhaseStarted, PhaseProgress, StepCompleted, NumericsReady, RoundingMeasured,
                     GuardActed, RunFinished, FinishProgress>(event);
}

std::string encoded(const RunEvent& event) {
    const auto bytes = protocol::encode(protocol::EventMessage{0, event});
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends the complete events in `bytes`. Returns the number of bytes that they take. Throws ProtocolError.
std::size_t decode_all(std::span<const std::byte> bytes, std::vector<RunEvent>& events) {
    const protocol::Bytes all(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    std::size_t done = 0;
    while (all.size() - done >= protocol::kLengthBytes) {
        const std::size_t length = protocol::decode_length(all.subspan(done, protocol::kLengthBytes));
        if (all.size() - done - protocol::kLengthBytes < length) break;  // the rest is being written
        auto message = protocol::decode(all.subspan(done + protocol::kLengthBytes, length));
        if (auto* event = std::get_if<protocol::EventMessage>(&message)) events.push_back(std::move(event->event));
        done += protocol::kLengthBytes + length;
    }
    return done;
}

/// Reads at most one message of the largest size, so that a file of any size needs limited memory.
std::vector<char> bytes_from(const fs::path& file, std::uintmax_t offset) {
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(file, missing);
    if (missing || size <= offset) return {};
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    std::vector<char> bytes(
        std::min<std::uintmax_t>(size - offset, protocol::kLargestMessage + protocol::kLengthBytes));
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
}

}  // namespace

void AttemptEventWriter::add(const RunEvent& event) {
    if (is_broken_ || !belongs_to_run(event)) return;
    if (std::holds_alternative<PhaseProgress>(event)) {
        if (now_ms() < next_progress_ms_) return;
        next_progress_ms_ = now_ms() + kBetweenProgressMs;
    }
    try {
        write(encoded(event));
    } catch (const std::exception& error) {
        if (!std::exchange(has_warned_, true)) log_warning(error.what());
    }
}

/// After a failure, half an event must not stay: the storage may have space again for the next one.
void AttemptEventWriter::write(const std::string& event) {
    if (!events_) {
        events_.emplace(attempt_ / kEvents);
        written_ = events_->size();
    }
    if (const int error = events_->append(event); error != 0) {
        is_broken_ = events_->cut_to(written_) != 0;
        throw std::system_error(error, std::generic_category(), "the progress cannot be written");
    }
    written_ += static_cast<std::int64_t>(event.size());
}

void AttemptEventWriter::show(const PreviewReady& preview) {
    try {
        write_file_atomically(attempt_ / kPreview, encoded(preview));
    } catch (const std::exception&) {
        return;  // the next one may succeed
    }
}

std::vector<RunEvent> AttemptEventReader::read(const fs::path& attempt) {
    if (attempt != attempt_) *this = AttemptEventReader();
    attempt_ = attempt;
    std::vector<RunEvent> events;
    if (is_damaged_) return events;
    try {
        const auto grown = bytes_from(attempt / kEvents, read_);
        read_ += decode_all(std::as_bytes(std::span(grown)), events);
        std::error_code missing;
        const auto time = fs::last_write_time(attempt / kPreview, missing);
        if (missing || time == preview_time_) return events;
        preview_time_ = time;
        const auto preview = bytes_from(attempt / kPreview, 0);
        decode_all(std::as_bytes(std::span(preview)), events);
    } catch (const protocol::ProtocolError& error) {  // the node may run another version
        is_damaged_ = true;
        log_warning("the progress of a task is not shown: " + std::string(error.what()));
    }
    return events;
}

}  // namespace kinescope::cluster
