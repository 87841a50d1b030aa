#pragma once

#include <exception>
#include <map>
#include <string>
#include <string_view>

namespace kinescope {

/// What went wrong, as one word that programs can act on. The window has a title and cures for each.
enum class ErrorCode {
    cancelled,
    bad_request,  ///< at least one field of the request is out of its limits
    bad_usage,    ///< the command line cannot be understood
    file_not_found,
    file_unreadable,
    file_changed,          ///< a model's file changed, or was cut short, while a run used it
    checkpoint_truncated,  ///< the file ends before what its header promises
    checkpoint_corrupt,    ///< the header contradicts itself or the file
    component_missing,     ///< a part of the model (text encoder, VAE ...) is not there
    missing_keys,
    wrong_shape,  ///< a tensor has another shape than the configuration asks for
    model_unknown,
    bad_config,
    tokenizer_invalid,
    unsupported,
    device_unavailable,
    out_of_memory,
    not_finite,  ///< NaN or Inf, found at a named step and site
    frames_black,
    image_unreadable,
    output_exists,
    output_not_writable,
    disk_full,
    codec_missing,
    encode_failed,
    no_settings,  ///< a video that carries no request
    internal,
};

/// The code as it is spelt in logs, in JSON and in the window's catalogue, e.g. "disk_full".
std::string_view to_string(ErrorCode code);
/// The code of that name; internal for a name that is not known.
ErrorCode error_code_from(std::string_view name);

/// The one error type of the engine. `message`: what happened, with the value, and the likely cause. `hint`: what to
/// do.
class Error : public std::exception {
public:
    Error(ErrorCode code, std::string message, std::string hint = {},
          std::map<std::string, std::string> arguments = {});

    ErrorCode code() const { return code_; }
    const std::string& message() const { return message_; }
    const std::string& hint() const { return hint_; }
    /// Values of the message by name, so that the window can say it in another language.
    const std::map<std::string, std::string>& arguments() const { return arguments_; }
    const char* what() const noexcept override { return message_.c_str(); }

private:
    ErrorCode code_;
    std::string message_;
    std::string hint_;
    std::map<std::string, std::string> arguments_;
};

}  // namespace kinescope
