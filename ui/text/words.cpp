#include "ui/text/words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

}  // namespace

QString bytesText(std::int64_t bytes) {
    return QLocale().formattedDataSize(bytes, bytes < 1'000'000 ? 0 : 1, QLocale::DataSizeSIFormat);
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

QString builtinModelName() {
    return Tr::tr("Kinescope demo");
}

QString modelName(const ModelCard& card) {
    if (card.id == "builtin") return builtinModelName();
    return QString::fromStdString(card.variant.empty() ? card.name : card.variant);
}

QString modelNameWithFolder(const ModelCard& card) {
    const QString name = modelName(card);
    const QString folder = modelFolderName(QString::fromStdString(card.id));
    if (card.id == "builtin" || folder.isEmpty() || folder == name) return name;
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
