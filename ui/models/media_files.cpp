#include "ui/models/media_files.h"

#include <algorithm>
#include <string>

#include "core/api/video_endings.h"

namespace kinescope::ui {
namespace {

template <class Endings>
QStringList patternsOf(const Endings& endings) {
    QStringList patterns;
    for (const std::string_view ending : endings) patterns << QString::fromStdString("*" + std::string(ending));
    return patterns;
}

template <class Endings>
QString filterOf(const Endings& endings) {
    return patternsOf(endings).join(QLatin1Char(' '));
}

template <class Endings>
bool endsWithOneOf(const QString& file, const Endings& endings) {
    const std::string name = file.toLower().toStdString();
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

QStringList videoPatterns() {
    return patternsOf(kReadVideoEndings);
}

QString videoFilter() {
    return filterOf(kReadVideoEndings);
}

QString soundVideoFilter() {
    return filterOf(kEndingsWithSound);
}

QString pictureFilter() {
    return filterOf(kReadPictureEndings);
}

bool isVideoFile(const QString& file) {
    return endsWithOneOf(file, kReadVideoEndings);
}

bool isPictureFile(const QString& file) {
    return endsWithOneOf(file, kReadPictureEndings);
}

}  // namespace kinescope::ui
