#include "ui/panels/finish_section.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/request_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/form_field.h"
#include "ui/text/field_name.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kRowGap = 8;  ///< px

QString fileNameOf(const std::filesystem::path& file) {
    return QFileInfo(pathText(file)).fileName();
}

QString upscalingText(const FinishSteps& steps) {
    if (steps.upscaler.empty() || !steps.upscale_factor) return fileNameOf(steps.upscaler);
    return FinishSection::tr("%1, size × %2", "file, factor")
        .arg(fileNameOf(steps.upscaler))
        .arg(*steps.upscale_factor);
}

QString interpolationText(const FinishSteps& steps) {
    const QString file = fileNameOf(steps.interpolator);
    if (steps.interpolator.empty()) return {};
    if (steps.interpolation_fps)
        return FinishSection::tr("%1, %2 fps", "file, frames per second").arg(file).arg(*steps.interpolation_fps);
    return FinishSection::tr("%1, frame rate × %2", "file, factor")
        .arg(file)
        .arg(steps.interpolation_factor.value_or(2));
}

QString audioText(const FinishSteps& steps) {
    const AudioRequest& audio = steps.audio;
    QStringList words{fileNameOf(audio.file)};
    const auto seconds = [](double value) { return QLocale().toString(value, 'g', 4); };
    if (audio.start.value_or(0) > 0) words << FinishSection::tr("from %1 s").arg(seconds(*audio.start));
    if (audio.fade_in.value_or(0) > 0) words << FinishSection::tr("fades in for %1 s").arg(seconds(*audio.fade_in));
    if (audio.fade_out.value_or(0) > 0) words << FinishSection::tr("fades out for %1 s").arg(seconds(*audio.fade_out));
    if (audio.length == AudioLength::loop) words << FinishSection::tr("repeats");
    return audio.file.empty() ? QString() : words.join(QStringLiteral(", "));
}

void removeUpscaling(FinishSteps& steps) {
    steps.upscaler.clear();
    steps.upscale_factor.reset();
}

void removeInterpolation(FinishSteps& steps) {
    steps.interpolator.clear();
    steps.interpolation_factor.reset();
    steps.interpolation_fps.reset();
}

void removeAudio(FinishSteps& steps) {
    steps.audio = {};
}

}  // namespace

FinishSection::FinishSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      model_(model),
      rows_{Row{.name = "upscale", .describe = upscalingText, .clear = removeUpscaling},
            Row{.name = "interpolate", .describe = interpolationText, .clear = removeInterpolation},
            Row{.name = "audio", .describe = audioText, .clear = removeAudio}} {
    setObjectName(QStringLiteral("finishSection"));
    header()->addWidget(new HelpButton(theme, QStringLiteral("library#finish"), this));
    for (Row& row : rows_) build(theme, row);
    connect(&model_, &RequestModel::requestChanged, this, &FinishSection::showRequest);
    inEveryLanguage(this, [this] { retranslate(); });
    hide();
}

void FinishSection::build(const Theme& theme, Row& row) {
    auto* editor = new QWidget(this);
    row.text = new ElidedLabel(editor);
    row.text->setObjectName(QLatin1String(row.name) + QStringLiteral("StepLabel"));
    row.remove = makeRemoveButton(theme, editor);
    row.remove->setObjectName(QLatin1String(row.name) + QStringLiteral("StepRemoveButton"));
    auto* line = new QHBoxLayout(editor);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kRowGap);
    line->addWidget(row.text, 1);
    line->addWidget(row.remove);
    editor->setFocusProxy(row.remove);
    row.field = new FormField(theme, model_, row.name, editor, this);
    body()->addWidget(row.field);
    connect(row.remove, &QToolButton::clicked, this,
            [this, clear = row.clear] { model_.edit([clear](VideoRequest& request) { clear(request.finish); }); });
}

void FinishSection::retranslate() {
    setTitle(tr("Finish"));
    for (const Row& row : rows_) {
        row.field->setLabel(fieldName(row.name));
        row.remove->setToolTip(tr("Remove this step"));
        row.remove->setAccessibleName(tr("Remove %1").arg(fieldName(row.name)));
    }
    showRequest();
}

void FinishSection::showRequest() {
    const FinishSteps& steps = model_.request().finish;
    QStringList names;
    for (const Row& row : rows_) {
        const QString text = row.describe(steps);
        row.text->setFullText(text);
        row.field->setVisible(!text.isEmpty());
        if (!text.isEmpty()) names << fieldName(row.name);
    }
    setVisible(!names.isEmpty());
    setValue(names.join(QStringLiteral(", ")));
}

}  // namespace kinescope::ui
