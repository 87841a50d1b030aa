#pragma once

#include "core/protocol/field_tables.h"

// Values that are not written member by member.
namespace kinescope::protocol {

/// The request's JSON form (core/api/video_request_json.h), so that messages follow its fields.
template <>
struct Codec<VideoRequest> {
    static Json write(const VideoRequest& request);
    static VideoRequest read(const Json& json);
    static std::string type() { return "VideoRequest"; }
};

/// The output's fields of a request.
template <>
struct Codec<OutputRequest> {
    static Json write(const OutputRequest& output);
    static OutputRequest read(const Json& json);
    static std::string type() { return "OutputRequest"; }
};

/// The steps' fields of a request.
template <>
struct Codec<FinishSteps> {
    static Json write(const FinishSteps& steps);
    static FinishSteps read(const Json& json);
    static std::string type() { return "FinishSteps"; }
};

template <>
struct Codec<Error> {
    static Json write(const Error& error);
    static Error read(const Json& json);
    static std::string type() { return "Error"; }
};

template <>
struct Codec<RunFailed> {
    static Json write(const RunFailed& event) { return Codec<Error>::write(event.error); }
    static RunFailed read(const Json& json) { return {Codec<Error>::read(json)}; }
    static std::string type() { return "RunFailed"; }
};

/// May be null.
template <>
struct Codec<FramePtr> {
    static Json write(const FramePtr& frame);
    static FramePtr read(const Json& json);
    static std::string type() { return "Frame or null"; }
};

/// None of the frames may be null.
template <>
struct Codec<std::vector<FramePtr>> {
    static Json write(const std::vector<FramePtr>& frames);
    static std::vector<FramePtr> read(const Json& json);
    static std::string type() { return "list of Frame"; }
};

template <>
struct Codec<ComputeMode> {
    static Json write(const ComputeMode& mode);
    static ComputeMode read(const Json& json);
    static std::string type() { return "ComputeMode"; }
};

}  // namespace kinescope::protocol
