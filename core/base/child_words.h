#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/error.h"
#include "core/base/child_server.h"

namespace kinescope {

// Messages between a process and the child that reads untrusted files for it. A message is a list of words, each
// terminated by a zero byte (which paths cannot contain), which other data may follow. The first word of an answer says
// whether the file was read or refused.

std::string message_of(const std::vector<std::string>& words);

/// Removes the first word from a message. nullopt if there is none.
std::optional<std::string> take_word(std::string_view& message);
/// The same for a number; nullopt also if the word is not an integer.
std::optional<int> take_number(std::string_view& message);

/// The child's side: an answer, which other data may follow.
std::string answer_of(std::vector<std::string> words);
/// The child's side: returns the answer of `work`, or the error that it throws as an answer.
std::string answer_or_refuse(const std::function<std::string()>& work);

/// The parent's side: asks about `file` and returns the answer without its first word. Throws the error that the child
/// returns, error_of_reader() if the child fails, or Cancelled, see ChildServer::ask().
std::string ask_child(ChildServer& child, const std::vector<std::string>& words, const std::filesystem::path& file,
                      const IsCancelled& is_cancelled = {});

/// Returns Error(file_unreadable) for a child that failed while it read `file`. is_of_killed_reader() returns true if
/// the file is not to blame.
Error error_of_reader(const ChildFailed& failure, const std::filesystem::path& file);

/// Throws Error(file_unreadable). `reason` continues "the process that reads it".
[[noreturn]] void throw_unreadable(const std::filesystem::path& file, const std::string& reason);

}  // namespace kinescope
