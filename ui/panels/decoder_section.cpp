#include "ui/panels/decoder_section.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

DecoderSection::DecoderSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent), model_(model), previews_(new QComboBox(this)), draft_(new QCheckBox(this)) {
    setObjectName(QStringLiteral("decoderSection"));
    previews_->setObjectName(QStringLiteral("previewsCombo"));
    draft_->setObjectName(QStringLiteral("draftCheck"));
    for (const PreviewMode mode : {PreviewMode::automatic, PreviewMode::latent})
        previews_->addItem(QString(), static_cast<int>(mode));
    header()->addWidget(new HelpButton(theme, QStringLiteral("quality#tiny-decoders"), this));
    buildFields(theme);
    wire();
    setExpanded(false);
    inEveryLanguage(this, [this] { retranslate(); });
    hide();
}

void DecoderSection::buildFields(const Theme& theme) {
    previewsField_ = new FormField(theme, model_, "previews", previews_, this);
    draftField_ = new FormField(theme, model_, "decode", draft_, this);
    body()->addWidget(previewsField_);
    body()->addWidget(draftField_);
}

void DecoderSection::wire() {
    connect(previews_, &QComboBox::activated, this, [this](int index) {
        const auto mode = static_cast<PreviewMode>(previews_->itemData(index).toInt());
        model_.edit([mode](VideoRequest& request) { request.previews = mode; });
    });
    connect(draft_, &QCheckBox::toggled, this, [this](bool draft) {
        model_.edit([draft](VideoRequest& request) { request.decode = draft ? DecodeMode::draft : DecodeMode::full; });
    });
    connect(&model_, &RequestModel::cardChanged, this, &DecoderSection::showRequest);
    connect(&model_, &RequestModel::requestChanged, this, &DecoderSection::showRequest);
}

void DecoderSection::retranslate() {
    setTitle(tr("Previews and drafts"));
    previewsField_->setLabel(tr("Live previews"));
    draftField_->setLabel(tr("Final frames"));
    previews_->setItemText(0, tr("Tiny decoder, if there is one"));
    previews_->setItemText(1, tr("Projected latents"));
    previews_->setToolTip(
        tr("A tiny decoder shows real frames and takes at most 3 % of the time of the steps. Put its file next to the "
           "model or in ComfyUI's folder vae_approx."));
    draft_->setText(tr("Draft: decode with the tiny decoder"));
    draft_->setAccessibleName(draft_->text());
    draft_->setToolTip(tr("Decodes in a fraction of the time, with less detail. The video's settings say so."));
    showRequest();
}

void DecoderSection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest& now = model_.request();
    const auto& names = model_.card().tiny_decoders;
    setVisible(!names.empty() || now.preview_decoder);
    const QSignalBlocker quietPreviews(previews_);
    previews_->setCurrentIndex(previews_->findData(static_cast<int>(now.previews)));
    const QSignalBlocker quietDraft(draft_);
    draft_->setChecked(now.decode == DecodeMode::draft);
    const QString file = now.preview_decoder ? pathText(now.preview_decoder->filename())
                         : names.empty()     ? QString()
                                             : QString::fromStdString(names.front());
    previewsField_->message()->setMessage(Severity::info, tr("Tiny decoder of this model: %1").arg(file));
    setValue(now.decode == DecodeMode::draft ? tr("Draft") : tr("Full quality"));
}

}  // namespace kinescope::ui
