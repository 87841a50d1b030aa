#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Names of files that travel between computers. A name comes from the other side, so it is checked on both.
//   inputs/<SHA-256>.<ending>      an input
//   inputs/<SHA-256>/<name>        a picture of an input that is a folder
//   results/<token>/<name>         an output of a job
//   results/<token>/<name>/<name>  a file of an output that is a folder
namespace kinescope::computers {

enum class FileKind { input, result };

/// Returns the kind of a name. Throws Error(bad_request), which names it, for everything that does not have one of the
/// forms above. A valid name cannot leave the folder it is used in.
FileKind check_name(std::string_view name);

/// 64 lower-case hexadecimal digits.
bool is_sha256(std::string_view text);
/// A job's token: 32 lower-case hexadecimal digits.
bool is_token(std::string_view text);
/// A new token, unique in practice.
std::string make_token();

/// The token in the path of a job's output ".../results/<token>/..."; empty: none.
std::string token_in(const std::filesystem::path& output);

}  // namespace kinescope::computers
