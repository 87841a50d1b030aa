#pragma once

#include <exception>
#include <map>
#include <string>
#include <string_view>

namespace kinescope {

/// Machine-readable error codes. The window has a title and advice for each.
enum class ErrorCode {
    cancelled,
    bad_request,  ///< at least one field of the request is invalid
    bad_usage,    ///< invalid command line
    file_not_found,
    file_unreadable,
    file_changed,          ///< a model file was changed or truncated during a run
    checkpoint_truncated,  ///< the file is shorter than its header says
    checkpoint_corrupt,    ///< the header is inconsistent
    component_missing,     ///< a component (text encoder, VAE ...) is missing
    missing_keys,
    wrong_shape,  ///< a tensor's shape contradicts the configuration
    model_unknown,
    lora_mismatch,  ///< a LoRA belongs to another model
    bad_config,
    tokenizer_invalid,
    unsupported,
    device_unavailable,
    device_lost,  ///< the device failed; this process can no longer use it
    engine_lost,  ///< the engine's process ended unexpectedly, or cannot be reached
    out_of_memory,
    not_finite,  ///< NaN or infinity at a known step and site
    frames_black,
    image_unreadable,
    output_exists,
    output_not_writable,
    disk_full,
    codec_missing,
    encode_failed,
    no_settings,  ///< a video without an embedded request
    internal,
};

/// Returns the name used in logs, in JSON and in the window's texts, e.g. "disk_full".
std::string_view to_string(ErrorCode code);
/// Returns the code with this name, or `internal` for an unknown name.
ErrorCode error_code_from(std::string_view name);

/// The only error type of the engine. `message` describes the fault, with the value and the likely cause; `hint`
/// describes the remedy.
class Error : public std::exception {
public:
    Error(ErrorCode code, std::string message, std::string hint = {},
          std::map<std::string, std::string> arguments = {});

    ErrorCode code() const { return code_; }
    const std::string& message() const { return message_; }
    const std::string& hint() const { return hint_; }
    /// Returns the values in the message by name, so that the window can translate the message.
    const std::map<std::string, std::string>& arguments() const { return arguments_; }
    /// Returns one of these values; empty if there is none.
    std::string argument(const std::string& name) const;
    const char* what() const noexcept override { return message_.c_str(); }

private:
    ErrorCode code_;
    std::string message_;
    std::string hint_;
    std::map<std::string, std::string> arguments_;
};

}  // namespace kinescope
