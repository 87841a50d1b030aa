#pragma once

#include <QByteArray>
#include <QString>
#include <QUrl>
#include <optional>

namespace kinescope::ui {

/// The host whose gated models need a token.
inline constexpr auto kTokenHost = "huggingface.co";

/// Returns the file with the token, which only the user can read.
QString tokenFile();

/// Returns true for a text that can be a token. Spaces and control characters would change the request's header.
bool isToken(const QString& text);

/// Returns true if a token is saved.
bool hasToken(const QString& file);

/// Saves a token, or removes it if it is empty. Returns a message of the system, or an empty string on success.
QString saveToken(const QString& token, const QString& file);

/// Returns the token for an address, which is empty if none is saved. Returns nullopt for addresses to which no token
/// may be sent: other hosts, and connections without encryption.
std::optional<QByteArray> tokenFor(const QUrl& url, const QString& file);

}  // namespace kinescope::ui
