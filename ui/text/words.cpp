#include "ui/text/words.h"

#include <QCoreApplication>
#include <QDir>
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
    return card.id == "builtin" ? builtinModelName() : QString::fromStdString(card.name);
}

}  // namespace kinescope::ui
