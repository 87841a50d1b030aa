#include "ui/models/model_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "ui/models/error_catalogue.h"
#include "ui/models/model_sentence.h"
#include "ui/models/sentence_form.h"
#include "ui/models/site_name.h"
#include "ui/models/words.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ModelWords)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

bool isDenoiser(const ComponentDescription& part) {
    return part.name.starts_with("transformer") || part.name.starts_with("unet");
}

/// How much a tensor of a dtype says of the whole: the many small biases and norms beside the weights are often wider.
std::int64_t weightOf(const std::string& dtype) {
    if (dtype == "float32" || dtype == "float64") return 1;
    return dtype == "float16" || dtype == "bfloat16" ? 4 : 16;
}

/// The dtype that the weights are stored in.
std::string mainDtype(const std::vector<std::pair<std::string, std::int64_t>>& dtypes) {
    const auto most = std::max_element(dtypes.begin(), dtypes.end(), [](const auto& a, const auto& b) {
        return a.second * weightOf(a.first) < b.second * weightOf(b.first);
    });
    return most == dtypes.end() ? std::string() : most->first;
}

QString placeOf(const ComponentDescription& part) {
    if (part.files.empty()) return {};
    const QString name = QString::fromStdU16String(part.files.front().filename().u16string());
    const int more = static_cast<int>(part.files.size()) - 1;
    return more == 0 ? name : Words::tr("%1 and %n more", nullptr, more).arg(name);
}

std::size_t numMissing(const ModelEntry& entry) {
    return entry.description ? entry.description->missing.size() : entry.card.missing.size();
}

QString damage(const Error& error) {
    return error.code() == ErrorCode::checkpoint_truncated ? Words::tr("Damaged: the file ends early")
                                                           : Words::tr("Damaged: the file cannot be read");
}

QString nameOfMissing(const ModelEntry& entry) {
    if (!entry.description) return componentName(entry.card.missing.front());
    return componentName(valueOf(entry.description->missing.front(), "component").toStdString());
}

}  // namespace

ModelState modelState(const ModelEntry& entry) {
    if (entry.error) {
        const ErrorCode code = entry.error->code();
        const bool broken = code == ErrorCode::checkpoint_truncated || code == ErrorCode::checkpoint_corrupt ||
                            code == ErrorCode::file_unreadable;
        return broken ? ModelState::damaged : ModelState::unknown;
    }
    if (entry.card.family.empty()) return ModelState::unknown;
    return numMissing(entry) > 0 ? ModelState::partMissing : ModelState::ready;
}

QString modelStateText(const ModelEntry& entry) {
    switch (modelState(entry)) {
        case ModelState::ready:
            return Words::tr("Ready");
        case ModelState::damaged:
            return damage(*entry.error);
        case ModelState::partMissing:
            if (numMissing(entry) == 1) return Words::tr("%1 is missing").arg(nameOfMissing(entry));
            return Words::tr("%n parts are missing", nullptr, static_cast<int>(numMissing(entry)));
        case ModelState::unknown:
            break;
    }
    return Words::tr("Not known");
}

QString makesText(const std::vector<Task>& tasks) {
    const auto can = [&](Task task) { return std::find(tasks.begin(), tasks.end(), task) != tasks.end(); };
    const bool fromText = can(Task::text_to_video);
    const bool fromImage = can(Task::image_to_video);
    if (fromText && fromImage) return Words::tr("Text or image to video");
    if (fromText) return Words::tr("Text to video");
    if (fromImage) return Words::tr("Image to video");
    return can(Task::first_last_frame_to_video) ? Words::tr("First and last image to video") : QStringLiteral("–");
}

QString storedText(const ModelEntry& entry) {
    if (!entry.description) return {};
    const auto& parts = entry.description->components;
    const auto denoiser = std::find_if(parts.begin(), parts.end(), isDenoiser);
    const auto& shown = denoiser == parts.end() && !parts.empty() ? parts.begin() : denoiser;
    return shown == parts.end() ? QString() : dtypeName(mainDtype(shown->dtypes));
}

std::int64_t modelBytes(const ModelEntry& entry) {
    std::int64_t bytes = 0;
    if (entry.description)
        for (const ComponentDescription& part : entry.description->components) bytes += part.bytes;
    return bytes;
}

QList<ModelPart> modelParts(const ModelEntry& entry) {
    QList<ModelPart> parts;
    if (!entry.description) return parts;
    for (const ComponentDescription& part : entry.description->components)
        if (part.bytes > 0) parts << ModelPart{componentName(part.name), placeOf(part), part.bytes, false};
    for (const Sentence& missing : entry.description->missing)
        parts << ModelPart{componentName(valueOf(missing, "component").toStdString()), missingText(missing), 0, true};
    return parts;
}

QStringList modelReasons(const ModelEntry& entry) {
    QStringList reasons;
    if (entry.error) {
        const ErrorText words = errorText(*entry.error);
        reasons << words.sentence << Words::tr("Details: %1").arg(words.detail);
    } else if (entry.description) {
        for (const Sentence& reason : entry.description->reasons) reasons << asSentence(recognitionText(reason));
    }
    return reasons;
}

QString modelReport(const ModelEntry& entry) {
    QStringList lines{modelName(entry.card), modelStateText(entry), text(entry.card.id)};
    for (const ModelPart& part : modelParts(entry))
        lines << QStringLiteral("%1: %2%3")
                     .arg(part.name, part.place,
                          part.bytes > 0 ? QStringLiteral(", ") + bytesText(part.bytes) : QString());
    return (lines + modelReasons(entry)).join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace kinescope::ui
