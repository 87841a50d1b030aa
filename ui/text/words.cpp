#include "ui/text/words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <array>
#include <utility>

#include "core/api/byte_size.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

}  // namespace

QString bytesText(std::int64_t bytes) {
    const QString text = QString::fromStdString(format_byte_size(bytes));
    const QString number = text.section(QLatin1Char(' '), 0, 0);
    return QLocale().toString(number.toDouble(), 'f', number.contains(QLatin1Char('.')) ? 1 : 0) + QLatin1Char(' ') +
           text.section(QLatin1Char(' '), 1);
}

QString countText(std::int64_t count) {
    return QLocale().toString(static_cast<qlonglong>(count));
}

QString leastText(std::int64_t least) {
    return QStringLiteral("≥ ") + countText(least);
}

QString numberText(const QString& number) {
    static const QRegularExpression form(QStringLiteral("^(-?\\d{1,15}(?:\\.(\\d{1,9}))?)( %)?$"));
    const auto match = form.match(number);
    if (!match.hasMatch()) return number;
    const int decimals = static_cast<int>(match.captured(2).size());
    return QLocale().toString(match.captured(1).toDouble(), 'f', decimals) + match.captured(3);
}

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString pathText(const std::filesystem::path& path) {
    return QString::fromStdU16String(path.u16string());
}

QString folderText(const QString& path) {
    const QString folder = QDir(path).absolutePath();
    const QString above = QDir(folder + QStringLiteral("/..")).absolutePath();
    const QString name = QDir(folder).dirName();
    const QString parent = QDir(above).dirName();
    return parent.isEmpty() ? name : QStringLiteral("%1 › %2").arg(parent, name);
}

QString asSentence(const QString& words) {
    static const QRegularExpression plainWord(QStringLiteral("^[\\p{L}'-]+([ ,:;]|$)"));
    static const QRegularExpression chinese(QStringLiteral("\\p{Han}$|[，：；]"));
    QString said = words.trimmed();
    if (said.contains(plainWord)) said[0] = said[0].toUpper();
    if (said.isEmpty() || QStringLiteral(".?!。？！…").contains(said.back())) return said;
    return said + (said.contains(chinese) ? QChar(0x3002) : QLatin1Char('.'));
}

QString schedulerName(const std::string& name) {
    static constexpr std::array<std::pair<const char*, const char*>, 7> kNames = {{{"unipc", "UniPC"},
                                                                                   {"flow_match_euler", "Euler"},
                                                                                   {"euler", "Euler"},
                                                                                   {"dpmpp_2m", "DPM++ 2M"},
                                                                                   {"cogvideox_ddim", "DDIM"},
                                                                                   {"cogvideox_dpm", "DPM"},
                                                                                   {"flow_match_discrete", "Euler"}}};
    for (const auto& [known, shown] : kNames)
        if (name == known) return QLatin1String(shown);
    return QString::fromStdString(name);
}

QString sizeText(Size size) {
    return QStringLiteral("%1 × %2").arg(size.width).arg(size.height);
}

QString builtinModelName() {
    return Tr::tr("Kinescope demo");
}

QString localTimeText(const std::string& utc) {
    const QString given = QString::fromStdString(utc);
    const QDateTime time = QDateTime::fromString(given, Qt::ISODate);
    return time.isValid() ? QLocale().toString(time.toLocalTime(), QLocale::ShortFormat) : given;
}

QString modelName(const ModelCard& card) {
    return modelName(card.id, display_name(card));
}

QString modelName(const std::string& id, const std::string& name) {
    return id == kBuiltinModel ? builtinModelName() : QString::fromStdString(name);
}

QString modelNameWithFolder(const ModelCard& card) {
    const QString name = modelName(card);
    const QString folder = modelFolderName(QString::fromStdString(card.id));
    if (card.id == kBuiltinModel || folder.isEmpty() || folder == name) return name;
    return Tr::tr("%1 (%2)", "model, folder").arg(name, folder);
}

QString modelFolderName(const QString& path) {
    static const QRegularExpression snapshot(QStringLiteral("models--[^/]*--([^/]+)/snapshots/[^/]+/*$"));
    const QRegularExpressionMatch found = snapshot.match(path);
    if (found.hasMatch()) return found.captured(1);
    const QFileInfo info(QDir::cleanPath(path));
    static const QStringList kFiles{QStringLiteral("safetensors"), QStringLiteral("gguf"), QStringLiteral("ckpt"),
                                    QStringLiteral("pth"),         QStringLiteral("pt"),   QStringLiteral("bin")};
    return kFiles.contains(info.suffix().toLower()) ? info.completeBaseName() : info.fileName();
}

}  // namespace kinescope::ui
