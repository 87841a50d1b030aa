#include "core/protocol/message.h"

#include "core/protocol/message_codecs.h"

namespace kinescope::protocol {

std::vector<std::uint8_t> encode(const Message& message) {
    std::vector<std::uint8_t> bytes(kLengthBytes);
    Json::to_cbor(write(message), bytes);
    const std::size_t size = bytes.size() - kLengthBytes;
    if (size > kLargestMessage)
        throw ProtocolError("a message of " + std::to_string(size) + " bytes exceeds the limit of " +
                            std::to_string(kLargestMessage));
    for (std::size_t i = 0; i < kLengthBytes; ++i)
        bytes[i] = static_cast<std::uint8_t>(size >> (8 * (kLengthBytes - 1 - i)));
    return bytes;
}

std::size_t decode_length(Bytes length) {
    std::size_t size = 0;
    for (const std::uint8_t byte : length) size = size << 8 | byte;
    if (size > kLargestMessage)
        throw ProtocolError("a message of " + std::to_string(size) + " bytes is announced; the limit is " +
                            std::to_string(kLargestMessage));
    return size;
}

Message decode(Bytes message) {
    return read<Message>(read_cbor(message));
}

template <class Value>
Json to_document(const Value& value) {
    return write(value);
}

template <class Value>
Value from_document(const Json& document) {
    return read<Value>(document);
}

template <class... Values>
struct Instantiate {
    static constexpr auto functions = std::tuple{std::pair{&to_document<Values>, &from_document<Values>}...};
};

// The types in the interfaces of Engine.
template struct Instantiate<bool, int, std::int64_t, std::string, std::filesystem::path, PausePoint, RemainingSteps,
                            CanaryMode, GuardDemoRun, VideoRequest, std::optional<Job>, std::vector<Job>, ModelCard,
                            std::vector<ModelCard>, CheckpointDescription, FileCheck, std::vector<PresetInfo>, Plan,
                            std::vector<DeviceInfo>, DoctorReport, VerifyOptions, VerifyReport, std::vector<BenchRow>,
                            CompareTolerance, CompareReport, GuardDemoResult, FrameSelection, VideoDescription,
                            ExportRequest, ExportResult, ExportEstimate, FinishRequest, FinishResult, GpuSetup>;

}  // namespace kinescope::protocol
