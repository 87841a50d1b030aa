#include "ui/models/access_token.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

#include "core/api/user_dirs.h"
#include "ui/models/save_file.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr auto kOwnerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
constexpr int kLongest = 512;
constexpr int kHttpsPort = 443;

QByteArray readToken(const QString& file) {
    QFile kept(file);
    if (!QFileInfo(file).isFile() || !kept.open(QIODevice::ReadOnly)) return {};
    const QByteArray text = kept.read(kLongest + 2).trimmed();
    return isToken(QString::fromLatin1(text)) ? text : QByteArray();
}

}  // namespace

QString tokenFile() {
    return pathText(user_dirs().config / "huggingface_token");
}

bool isToken(const QString& text) {
    static const QRegularExpression printable(QStringLiteral("^[\\x21-\\x7e]{1,%1}\\z").arg(kLongest));
    return printable.match(text).hasMatch();
}

bool hasToken(const QString& file) {
    return !readToken(file).isEmpty();
}

QString saveToken(const QString& token, const QString& file) {
    if (token.isEmpty()) {
        QFile kept(file);
        return !kept.exists() || kept.remove() ? QString() : kept.errorString();
    }
    QDir().mkpath(QFileInfo(file).path());
    QSaveFile kept(file);
    // The permissions change before the token is written.
    const bool isSaved =
        kept.open(QIODevice::WriteOnly) && kept.setPermissions(kOwnerOnly) && writeAndCommit(kept, token.toLatin1());
    return isSaved ? QString() : kept.errorString();
}

std::optional<QByteArray> tokenFor(const QUrl& url, const QString& file) {
    const bool isHost = url.scheme() == QLatin1String("https") && url.host() == QLatin1String(kTokenHost) &&
                        url.port(kHttpsPort) == kHttpsPort && url.userInfo().isEmpty();
    return isHost ? std::optional(readToken(file)) : std::nullopt;
}

}  // namespace kinescope::ui
