#include "core/api/error.h"

#include <utility>

namespace kinescope {

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::cancelled:
            return "cancelled";
        case ErrorCode::bad_request:
            return "bad_request";
        case ErrorCode::bad_usage:
            return "bad_usage";
        case ErrorCode::file_not_found:
            return "file_not_found";
        case ErrorCode::file_unreadable:
            return "file_unreadable";
        case ErrorCode::file_changed:
            return "file_changed";
        case ErrorCode::checkpoint_truncated:
            return "checkpoint_truncated";
        case ErrorCode::checkpoint_corrupt:
            return "checkpoint_corrupt";
        case ErrorCode::component_missing:
            return "component_missing";
        case ErrorCode::missing_keys:
            return "missing_keys";
        case ErrorCode::wrong_shape:
            return "wrong_shape";
        case ErrorCode::model_unknown:
            return "model_unknown";
        case ErrorCode::lora_mismatch:
            return "lora_mismatch";
        case ErrorCode::bad_config:
            return "bad_config";
        case ErrorCode::tokenizer_invalid:
            return "tokenizer_invalid";
        case ErrorCode::unsupported:
            return "unsupported";
        case ErrorCode::device_unavailable:
            return "device_unavailable";
        case ErrorCode::device_lost:
            return "device_lost";
        case ErrorCode::engine_lost:
            return "engine_lost";
        case ErrorCode::out_of_memory:
            return "out_of_memory";
        case ErrorCode::not_finite:
            return "not_finite";
        case ErrorCode::frames_black:
            return "frames_black";
        case ErrorCode::image_unreadable:
            return "image_unreadable";
        case ErrorCode::output_exists:
            return "output_exists";
        case ErrorCode::output_not_writable:
            return "output_not_writable";
        case ErrorCode::disk_full:
            return "disk_full";
        case ErrorCode::codec_missing:
            return "codec_missing";
        case ErrorCode::encode_failed:
            return "encode_failed";
        case ErrorCode::no_settings:
            return "no_settings";
        case ErrorCode::internal:
            return "internal";
    }
    return "internal";
}

ErrorCode error_code_from(std::string_view name) {
    for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code)
        if (to_string(static_cast<ErrorCode>(code)) == name) return static_cast<ErrorCode>(code);
    return ErrorCode::internal;
}

Error::Error(ErrorCode code, std::string message, std::string hint, std::map<std::string, std::string> arguments)
    : code_(code), message_(std::move(message)), hint_(std::move(hint)), arguments_(std::move(arguments)) {}

std::string Error::argument(const std::string& name) const {
    const auto found = arguments_.find(name);
    return found == arguments_.end() ? std::string() : found->second;
}

}  // namespace kinescope
