#include "ui/text/model_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "core/api/component_role.h"
#include "core/api/compute_precision.h"
#include "ui/text/error_catalog.h"
#include "ui/text/message_form.h"
#include "ui/text/model_text.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ModelWords)
};

bool isDenoiser(const ComponentDescription& part) {
    return role_of(part.name) == ComponentRole::denoiser;
}

/// Returns how much a tensor of this dtype counts for mainDtype(): biases and norms often use a wider dtype than the
/// weights.
std::int64_t weightOf(const std::string& dtype) {
    const auto type = element_type_from(dtype);
    if (type == ElementType::float32 || type == ElementType::float64) return 1;
    return type == ElementType::float16 || type == ElementType::bfloat16 ? 4 : 16;
}

/// Returns the storage dtype of most weights.
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
    return more == 0 ? name : Tr::tr("%1 and %Ln more", nullptr, more).arg(name);
}

std::size_t numMissing(const ModelEntry& entry) {
    return entry.description ? entry.description->missing.size() : entry.card.missing.size();
}

bool isDamaged(const FileCheck& check) {
    return check.has_damage() || check.is_another_file();
}

bool isDamaged(const ComponentDescription& part) {
    return std::any_of(part.checks.begin(), part.checks.end(), [](const FileCheck& check) { return isDamaged(check); });
}

/// Returns the first check that found damage, or nullptr if there is none.
const FileCheck* damageOf(const ModelEntry& entry) {
    if (!entry.description) return nullptr;
    for (const ComponentDescription& part : entry.description->components)
        for (const FileCheck& check : part.checks)
            if (isDamaged(check)) return &check;
    return nullptr;
}

QString damage(const FileCheck& check) {
    return check.has_damage() ? Tr::tr("Damaged: contains NaN or infinity")
                              : Tr::tr("Damaged: differs from the published file");
}

QString fileName(const FileCheck& check) {
    return QString::fromStdU16String(check.file.filename().u16string());
}

/// Names the first affected tensor and counts the others: "blocks.3.ffn.weight (14), and 2 more".
QString tensorsOf(const std::vector<WeightFault>& faults) {
    const WeightFault& first = faults.front();
    const QString shown = filled(
        Tr::tr("%1 (%2)", "tensor, count"),
        {text(first.tensor), QLocale().toString(qlonglong(first.is_damage() ? first.num_damaged() : first.saturated))});
    const int more = static_cast<int>(faults.size()) - 1;
    return more == 0 ? shown : filled(Tr::tr("%1, and %Ln more", "tensors", more), {shown});
}

QString healthyText(const FileCheck& check) {
    const QString count = QLocale().toString(qlonglong(check.num_tensors));
    const QString when = localTimeText(check.checked);
    return check.published.empty()
               ? filled(Tr::tr("%1: no invalid values in its %2 tensors. SHA-256 %3, checked %4."),
                        {fileName(check), count, text(check.sha256), when})
               : filled(Tr::tr("%1: identical to the published file, no invalid values in its %2 tensors. Checked %3."),
                        {fileName(check), count, when});
}

QString checkText(const FileCheck& check) {
    if (check.has_damage()) {
        std::vector<WeightFault> faults = check.faults;
        std::erase_if(faults, [](const WeightFault& fault) { return !fault.is_damage(); });
        return filled(Tr::tr("%1 contains invalid values (NaN or infinity) in %2. The file is damaged or was "
                             "converted incorrectly. Download it again."),
                      {fileName(check), tensorsOf(faults)});
    }
    if (check.is_another_file())
        return filled(Tr::tr("%1 differs from the published file of this name. Download it again."), {fileName(check)});
    if (!check.faults.empty())
        return filled(Tr::tr("%1 contains values that were clipped at the end of the fp8 range, in %2. This can "
                             "reduce the video quality; a scaled fp8 file avoids it."),
                      {fileName(check), tensorsOf(check.faults)});
    return healthyText(check);
}

QString damage(const Error& error) {
    return error.code() == ErrorCode::checkpoint_truncated ? Tr::tr("Damaged: truncated file")
                                                           : Tr::tr("Damaged: unreadable file");
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
    if (damageOf(entry) != nullptr) return ModelState::damaged;
    if (entry.card.family.empty()) return ModelState::unknown;
    return numMissing(entry) > 0 ? ModelState::partMissing : ModelState::ready;
}

QString modelStateText(const ModelEntry& entry) {
    switch (modelState(entry)) {
        case ModelState::ready:
            return Tr::tr("Ready");
        case ModelState::damaged:
            return entry.error ? damage(*entry.error) : damage(*damageOf(entry));
        case ModelState::partMissing:
            if (numMissing(entry) == 1) return Tr::tr("%1 is missing").arg(nameOfMissing(entry));
            return Tr::tr("%Ln components are missing", nullptr, static_cast<int>(numMissing(entry)));
        case ModelState::unknown:
            break;
    }
    return Tr::tr("Unknown");
}

QString makesText(const std::vector<Task>& tasks) {
    const auto can = [&](Task task) { return std::find(tasks.begin(), tasks.end(), task) != tasks.end(); };
    const bool fromText = can(Task::text_to_video);
    const bool fromImage = can(Task::image_to_video);
    if (fromText && fromImage) return Tr::tr("Text or image to video");
    if (fromText) return Tr::tr("Text to video");
    if (fromImage) return Tr::tr("Image to video");
    return can(Task::first_last_frame_to_video) ? Tr::tr("First and last image to video") : QStringLiteral("–");
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
        if (part.bytes > 0)
            parts << ModelPart{componentName(part.name), placeOf(part), part.bytes,
                               isDamaged(part) ? PartState::damaged : PartState::there};
    for (const LocalizableMessage& missing : entry.description->missing)
        parts << ModelPart{componentName(valueOf(missing, "component").toStdString()), missingText(missing), 0,
                           PartState::missing};
    return parts;
}

QStringList modelReasons(const ModelEntry& entry) {
    QStringList reasons;
    if (entry.error) {
        const ErrorText words = errorText(*entry.error);
        reasons << words.sentence << Tr::tr("Details: %1").arg(words.detail);
    } else if (entry.description) {
        for (const LocalizableMessage& reason : entry.description->reasons)
            reasons << asSentence(recognitionText(reason));
    }
    return reasons;
}

QStringList checkTexts(const ModelEntry& entry) {
    QStringList texts;
    if (!entry.description) return texts;
    for (const ComponentDescription& part : entry.description->components)
        for (const FileCheck& check : part.checks) texts << checkText(check);
    texts.removeDuplicates();
    return texts;
}

QString modelReport(const ModelEntry& entry) {
    QStringList lines{modelName(entry.card), modelStateText(entry), text(entry.card.id)};
    for (const ModelPart& part : modelParts(entry))
        lines << QStringLiteral("%1: %2%3")
                     .arg(part.name, part.place,
                          part.bytes > 0 ? QStringLiteral(", ") + bytesText(part.bytes) : QString());
    return (lines + checkTexts(entry) + modelReasons(entry)).join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace kinescope::ui
