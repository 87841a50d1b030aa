#include "ui/panels/part_prompts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/api/video_parts.h"
#include "ui/models/request_model.h"
#include "ui/panels/prompt_edit.h"
#include "ui/text/fault_text.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr auto kNextPrompts = "next_prompts";
constexpr int kPartLines = 3;
constexpr int kPartGap = 6;          ///< px
constexpr int kAddButtonMargin = 4;  ///< px between the edge of a flat button and its icon

}  // namespace

PartPrompts::PartPrompts(const Theme& theme, RequestModel& model, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      model_(model),
      column_(new QVBoxLayout(this)),
      message_(new MessageLine(theme, this)),
      add_(new QPushButton(this)) {
    setObjectName(QStringLiteral("partPrompts"));
    message_->setObjectName(QStringLiteral("partsMessage"));
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(kPartGap);
    column_->addWidget(message_);
    buildAddButton();
    connect(&model_, &RequestModel::requestChanged, this, &PartPrompts::showRequest);
    connect(&model_, &RequestModel::cardChanged, this, &PartPrompts::showRequest);
    inEveryLanguage(this, [this] {
        add_->setText(tr("Add a part"));
        add_->setToolTip(tr("Makes a longer video: the part continues the video with its own prompt."));
        for (std::size_t i = 0; i < rows_.size(); ++i) retranslateRow(rows_[i], i);
        showMessage();
    });
    hide();
}

void PartPrompts::buildAddButton() {
    add_->setObjectName(QStringLiteral("addPartButton"));
    add_->setProperty("role", "ghost");
    add_->setStyleSheet(QStringLiteral("QPushButton { padding: 0 6px 0 0; text-align: left; }"));
    add_->setIcon(theme_.icon(QStringLiteral("plus"), ColorRole::text3));
    add_->setIconSize({16, 16});
    auto* line = new QHBoxLayout;
    line->setContentsMargins(-kAddButtonMargin, 0, 0, 0);
    line->addWidget(add_);
    line->addStretch(1);
    column_->addLayout(line);
    connect(add_, &QPushButton::clicked, this, &PartPrompts::add);
}

void PartPrompts::showRequest() {
    const std::vector<std::string>& prompts = model_.request().next_prompts;
    setNumRows(prompts.size());
    for (std::size_t i = 0; i < prompts.size(); ++i) rows_[i].prompt->setTextQuietly(prompts[i]);
    const bool isSupported = model_.hasCard() && model_.card().continuation != Continuation::none;
    add_->setVisible(isSupported && prompts.size() < kMostNextPrompts);
    setVisible(isSupported || !prompts.empty());
    showMessage();
}

void PartPrompts::showMessage() {
    message_->clear();
    const Fault* fault = model_.hasCard() ? model_.faultOf(kNextPrompts) : nullptr;
    if (!fault) return;
    const FaultText text = faultText(*fault, model_.request(), model_.card());
    message_->setMessage(Severity::error, text.message);
    message_->setToolTip(text.detail);
}

void PartPrompts::setNumRows(std::size_t count) {
    while (rows_.size() > count) {
        QWidget* row = rows_.back().widget;
        rows_.pop_back();
        removeLater(row);
    }
    while (rows_.size() < count) {
        rows_.push_back(makeRow(rows_.size()));
        column_->insertWidget(static_cast<int>(rows_.size()) - 1, rows_.back().widget);
        if (rows_.size() > 1) setTabOrder(rows_[rows_.size() - 2].remove, rows_.back().prompt);
        setTabOrder(rows_.back().prompt, rows_.back().remove);
        setTabOrder(rows_.back().remove, add_);
        retranslateRow(rows_.back(), rows_.size() - 1);
    }
}

PartPrompts::Row PartPrompts::makeRow(std::size_t index) {
    const QByteArray number = QByteArray::number(static_cast<qlonglong>(index) + 2);
    auto* widget = new QWidget(this);
    Row row{widget, new QLabel(widget), makeRemoveButton(theme_, widget),
            new PromptEdit(("partPromptEdit" + number).constData(), kPartLines, widget)};
    row.label->setProperty("type", "label");
    row.label->setBuddy(row.prompt);
    row.remove->setObjectName(QStringLiteral("removePartButton") + QString::fromLatin1(number));
    auto* head = new QHBoxLayout;
    head->addWidget(row.label);
    head->addStretch(1);
    head->addWidget(row.remove);
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kPartGap);
    column->addLayout(head);
    column->addWidget(row.prompt);
    connect(row.remove, &QToolButton::clicked, this, [this, index] { remove(index); });
    connect(row.prompt, &QPlainTextEdit::textChanged, this, [this, index, edit = row.prompt] {
        model_.edit([&](VideoRequest& request) {
            if (index < request.next_prompts.size()) request.next_prompts[index] = edit->toPlainText().toStdString();
        });
    });
    return row;
}

void PartPrompts::retranslateRow(const Row& row, std::size_t index) {
    const QString part = tr("Part %1").arg(index + 2);
    row.label->setText(part);
    row.prompt->setAccessibleName(tr("Prompt of part %1").arg(index + 2));
    row.prompt->setPlaceholderText(tr("Describe how the video continues"));
    row.remove->setToolTip(tr("Remove this part"));
    row.remove->setAccessibleName(tr("Remove part %1").arg(index + 2));
}

void PartPrompts::add() {
    model_.edit([](VideoRequest& request) { request.next_prompts.emplace_back(); });
    if (!rows_.empty()) rows_.back().prompt->setFocus();
}

void PartPrompts::remove(std::size_t index) {
    model_.edit([index](VideoRequest& request) {
        if (index < request.next_prompts.size())
            request.next_prompts.erase(request.next_prompts.begin() + static_cast<std::ptrdiff_t>(index));
    });
    if (rows_.empty()) return add_->setFocus();
    rows_[std::min(index, rows_.size() - 1)].prompt->setFocus();
}

}  // namespace kinescope::ui
