#include "core/protocol/special_codecs.h"

#include "core/api/video_request_json.h"

namespace kinescope::protocol {

namespace {

constexpr const char* kAsPlanned = "as_planned";
constexpr int kLongestSide = 1 << 16;

const Json& member(const Json& json, const char* name) {
    if (!json.is_object()) refuse(json, "a map");
    const auto found = json.find(name);
    if (found == json.end()) throw ProtocolError(std::string(name) + " is missing");
    return *found;
}

void require_members(const Json& json, std::size_t count, const char* type) {
    if (json.size() != count) throw ProtocolError(std::string(type) + " has unknown members");
}

struct ComputeModeWriter {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(AsPlanned) const { return kAsPlanned; }
    template <class Mode>
    Json operator()(const Mode& mode) const {
        return protocol::write(mode);
    }
};

}  // namespace

Json Codec<VideoRequest>::write(const VideoRequest& request) {
    Json json = request_document(request);
    if (request.model.empty()) json["model"] = "";  // otherwise the default would take its place
    return json;
}

VideoRequest Codec<VideoRequest>::read(const Json& json) {
    if (!json.is_object()) refuse(json, type());
    VideoRequest request;
    const std::vector<Fault> faults = read_request(nlohmann::ordered_json(json), {}, request);
    if (!faults.empty()) throw ProtocolError("VideoRequest: " + faults.front().message);
    return request;
}

Json Codec<OutputRequest>::write(const OutputRequest& output) {
    VideoRequest request;
    request.output = output;
    return Codec<VideoRequest>::write(request);
}

OutputRequest Codec<OutputRequest>::read(const Json& json) {
    return Codec<VideoRequest>::read(json).output;
}

Json Codec<FinishSteps>::write(const FinishSteps& steps) {
    VideoRequest request;
    request.finish = steps;
    return Codec<VideoRequest>::write(request);
}

FinishSteps Codec<FinishSteps>::read(const Json& json) {
    return Codec<VideoRequest>::read(json).finish;
}

Json Codec<Error>::write(const Error& error) {
    return {{"code", protocol::write(error.code())},
            {"message", error.message()},
            {"hint", error.hint()},
            {"arguments", protocol::write(error.arguments())}};
}

Error Codec<Error>::read(const Json& json) {
    Error error(protocol::read<ErrorCode>(member(json, "code")), protocol::read<std::string>(member(json, "message")),
                protocol::read<std::string>(member(json, "hint")),
                protocol::read<std::map<std::string, std::string>>(member(json, "arguments")));
    require_members(json, 4, "Error");
    return error;
}

Json Codec<FramePtr>::write(const FramePtr& frame) {
    if (!frame) return nullptr;
    return {{"width", frame->width}, {"height", frame->height}, {"pixels", Json::binary(frame->pixels)}};
}

FramePtr Codec<FramePtr>::read(const Json& json) {
    if (json.is_null()) return nullptr;
    auto frame = std::make_shared<Frame>();
    frame->width = protocol::read<int>(member(json, "width"));
    frame->height = protocol::read<int>(member(json, "height"));
    const Json& pixels = member(json, "pixels");
    require_members(json, 3, "Frame");
    if (!pixels.is_binary()) refuse(pixels, "bytes");
    const auto is_side = [](int side) { return side >= 0 && side <= kLongestSide; };
    if (!is_side(frame->width) || !is_side(frame->height) ||
        pixels.get_binary().size() != std::size_t{3} * std::size_t(frame->width) * std::size_t(frame->height))
        throw ProtocolError("Frame.pixels: " + std::to_string(pixels.get_binary().size()) + " bytes for " +
                            std::to_string(frame->width) + " x " + std::to_string(frame->height) + " px");
    frame->pixels = pixels.get_binary();
    return frame;
}

Json Codec<std::vector<FramePtr>>::write(const std::vector<FramePtr>& frames) {
    Json json = Json::array();
    for (const FramePtr& frame : frames) {
        if (!frame) throw ProtocolError("a frame of a list is null");
        json.push_back(Codec<FramePtr>::write(frame));
    }
    return json;
}

std::vector<FramePtr> Codec<std::vector<FramePtr>>::read(const Json& json) {
    if (!json.is_array()) refuse(json, type());
    std::vector<FramePtr> frames;
    for (const Json& frame : json) {
        if (frame.is_null()) throw ProtocolError("a frame of a list is null");
        frames.push_back(Codec<FramePtr>::read(frame));
    }
    return frames;
}

Json Codec<ComputeMode>::write(const ComputeMode& mode) {
    return std::visit(ComputeModeWriter{}, mode);
}

ComputeMode Codec<ComputeMode>::read(const Json& json) {
    if (json.is_null()) return std::monostate{};
    if (json == kAsPlanned) return AsPlanned{};
    if (json.is_object() && json.contains("device")) return protocol::read<OnDevice>(json);
    return protocol::read<ComputePrecision>(json);
}

}  // namespace kinescope::protocol
