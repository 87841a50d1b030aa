#include "ui/panels/lora_section.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/models/lora_files.h"
#include "ui/models/request_model.h"
#include "ui/panels/lora_row.h"
#include "ui/text/error_catalog.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kRowGap = 8;
constexpr std::size_t kMostLoras = 100;

/// Returns the dropped files if all of them may be LoRAs; else none.
QStringList lorasIn(const QMimeData& data) {
    QStringList files;
    for (const QUrl& url : data.urls()) {
        if (!url.isLocalFile() || !mayBeLora(url.toLocalFile())) return {};
        files << url.toLocalFile();
    }
    return files;
}

}  // namespace

LoraSection::LoraSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent), theme_(theme), model_(model), list_(new QVBoxLayout), add_(new QPushButton(this)) {
    setObjectName(QStringLiteral("loraSection"));
    setAcceptDrops(true);
    add_->setObjectName(QStringLiteral("addLoraButton"));
    header()->addWidget(new HelpButton(theme, QStringLiteral("models#lora"), this));
    list_->setSpacing(kRowGap);
    body()->addLayout(list_);
    body()->addWidget(add_, 0, Qt::AlignLeft);
    setExpanded(false);
    connect(add_, &QPushButton::clicked, this, &LoraSection::askForFiles);
    connect(&model_, &RequestModel::requestChanged, this, &LoraSection::showRequest);
    connect(&model_, &RequestModel::planChanged, this, &LoraSection::showFault);
    inEveryLanguage(this, [this] { retranslate(); });
}

void LoraSection::retranslate() {
    setTitle(tr("LoRAs"));
    add_->setText(tr("Add LoRA…"));
    add_->setToolTip(
        tr("A LoRA changes the style, the subject or the number of steps of the model that it was made "
           "for."));
    showRequest();
}

void LoraSection::askForFiles() {
    add(QFileDialog::getOpenFileNames(window(), tr("Add LoRA"), loraFolder(model_.request()),
                                      tr("LoRAs (%1)").arg(QStringLiteral("*.safetensors *.sft *.pt *.pth *.bin"))));
}

void LoraSection::add(const QStringList& files) {
    model_.edit([&](VideoRequest& request) {
        for (const QString& file : files)
            if (request.loras.size() < kMostLoras) addLora(request, file.toStdU16String());
    });
    if (!files.isEmpty()) setExpanded(true);
}

void LoraSection::showRequest() {
    const std::vector<LoraRequest>& loras = model_.request().loras;
    setNumRows(loras.size());
    for (std::size_t i = 0; i < loras.size(); ++i) rows_[i]->setLora(loras[i]);
    setValue(loras.empty() ? tr("None", "LoRAs") : lorasText(loras));
    add_->setEnabled(model_.hasCard() && loras.size() < kMostLoras);
    showFault();
}

void LoraSection::showFault() {
    const std::vector<LoraRequest>& loras = model_.request().loras;
    const Error* fault = model_.planError() ? &*model_.planError() : nullptr;
    for (std::size_t i = 0; i < rows_.size() && i < loras.size(); ++i) {
        const bool isBlamed = fault && loras[i].path == fault->argument("path");
        rows_[i]->setFault(isBlamed ? errorText(*fault).sentence : QString());
    }
}

void LoraSection::setNumRows(std::size_t count) {
    while (rows_.size() > count) {
        LoraRow* row = rows_.back();
        rows_.pop_back();
        removeLater(row);
    }
    while (rows_.size() < count) {
        const std::size_t index = rows_.size();
        auto* row = new LoraRow(theme_, static_cast<int>(index) + 1, this);
        list_->addWidget(row);
        connect(row, &LoraRow::changed, this, [this, index](const LoraRequest& now) {
            model_.edit([&](VideoRequest& request) {
                if (index < request.loras.size()) request.loras[index] = now;
            });
        });
        connect(row, &LoraRow::removeRequested, this, [this, index] {
            model_.edit([&](VideoRequest& request) {
                if (index < request.loras.size())
                    request.loras.erase(request.loras.begin() + static_cast<std::ptrdiff_t>(index));
            });
        });
        rows_.push_back(row);
    }
}

void LoraSection::dragEnterEvent(QDragEnterEvent* event) {
    if (model_.hasCard() && !lorasIn(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void LoraSection::dropEvent(QDropEvent* event) {
    const QStringList files = lorasIn(*event->mimeData());
    if (files.isEmpty()) return;
    add(files);
    event->acceptProposedAction();
}

}  // namespace kinescope::ui
