#pragma once

#include <QByteArray>
#include <optional>

#include "app/window/options.h"

// What a start of the program and the window that is open already say to each other: one line of JSON each.
namespace kinescope {

/// A longer message is refused.
inline constexpr int kMostStartBytes = 1 << 20;
/// The answer is short.
inline constexpr int kMostAnswerBytes = 1 << 10;

enum class StartAnswer { accepted, refused };

/// Returns the line that hands the options of a start over. Options for one picture or measurement are left out.
QByteArray startMessage(const WindowOptions& options);
/// Returns nullopt for a line of another form or version.
std::optional<WindowOptions> readStartMessage(const QByteArray& line);

QByteArray answerMessage(StartAnswer answer);
/// Everything that is not `accepted` is a refusal.
StartAnswer readAnswer(const QByteArray& line);

}  // namespace kinescope
