#include "ui/windows/preferences_page.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/widgets/language.h"
#include "ui/widgets/segmented.h"

namespace kinescope::ui {
namespace {

constexpr int kLabelWidth = 176;
constexpr int kLabelHeight = 32;
constexpr int kRowGap = 20;

}  // namespace

PreferencesPage::PreferencesPage(Preferences& preferences, TextFunction title, QWidget* parent)
    : QWidget(parent), preferences_(preferences), title_(std::move(title)), grid_(new QGridLayout) {
    auto* heading = new QLabel(this);
    heading->setProperty("type", "title");
    inEveryLanguage(heading, [this, heading] { heading->setText(title_()); });
    grid_->setHorizontalSpacing(24);
    grid_->setVerticalSpacing(4);
    grid_->setColumnMinimumWidth(0, kLabelWidth);
    grid_->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    column->setSpacing(kRowGap);
    column->addWidget(heading);
    column->addLayout(grid_);
    column->addStretch(1);
}

QLabel* PreferencesPage::addRow(QWidget* field, const TextFunction& label, const TextFunction& note) {
    auto* words = new QLabel(this);
    words->setWordWrap(true);
    words->setBuddy(field);
    words->setMinimumHeight(kLabelHeight);
    auto* below = new QLabel(this);
    below->setProperty("type", "caption");
    below->setWordWrap(true);
    below->setTextFormat(Qt::PlainText);
    below->setContentsMargins(0, 0, 0, kRowGap - 8);
    rows_.push_back({takeLines(), words, field, below});
    place(rows_.back(), Labels::beside);
    inEveryLanguage(words, [words, field, label] {
        words->setText(label());
        field->setAccessibleName(label());
    });
    if (note) inEveryLanguage(below, [below, note] { below->setText(note()); });
    return below;
}

/// Returns the first of three new lines of the grid.
int PreferencesPage::takeLines() {
    constexpr int kLines = 3;
    return std::exchange(numLines_, numLines_ + kLines);
}

void PreferencesPage::place(const Row& row, Labels labels) {
    if (labels == Labels::beside) {
        grid_->addWidget(row.label, row.place, 0, Qt::AlignTop);
        grid_->addWidget(row.field, row.place, 1);
        grid_->addWidget(row.note, row.place + 1, 1);
    } else {
        grid_->addWidget(row.label, row.place, 0, 1, 2);
        grid_->addWidget(row.field, row.place + 1, 0, 1, 2);
        grid_->addWidget(row.note, row.place + 2, 0, 1, 2);
    }
}

void PreferencesPage::placeAll(Labels labels) {
    for (const Row& row : rows_) {
        for (QWidget* widget : {static_cast<QWidget*>(row.label), row.field, static_cast<QWidget*>(row.note)})
            grid_->removeWidget(widget);
        row.label->setMinimumHeight(labels == Labels::beside ? kLabelHeight : 0);
        place(row, labels);
    }
    labels_ = labels;
    grid_->setColumnMinimumWidth(0, labels == Labels::beside ? kLabelWidth : 0);
    layout()->activate();
}

void PreferencesPage::fitTo(int width) {
    room_ = width;
    placeAll(Labels::beside);
    if (minimumSizeHint().width() > room_) placeAll(Labels::above);
}

/// Texts may become longer after the page has been fitted.
bool PreferencesPage::event(QEvent* event) {
    const bool isDone = QWidget::event(event);
    const bool isChanged = event->type() == QEvent::LayoutRequest;
    if (isChanged && labels_ == Labels::beside && minimumSizeHint().width() > room_) placeAll(Labels::above);
    return isDone;
}

void PreferencesPage::addText(const TextFunction& text) {
    auto* label = new QLabel(this);
    label->setWordWrap(true);
    label->setContentsMargins(0, 0, 0, 8);
    grid_->addWidget(label, takeLines(), 0, 1, 2);
    inEveryLanguage(label, [label, text] { label->setText(text()); });
}

void PreferencesPage::store(const char* key, const QVariant& value) {
    if (preferences_.value(key) == value) return;
    preferences_.set(key, value);
    load();
    Q_EMIT changed();
}

void PreferencesPage::load() {
    for (const auto& loader : loaders_) loader();
}

void PreferencesPage::reset() {
    for (const char* key : keys_) preferences_.reset(key);
    load();
    Q_EMIT changed();
}

void PreferencesPage::bind(QAbstractButton* check, const char* key) {
    keys_.push_back(key);
    loaders_.push_back([this, check, key] { check->setChecked(preferences_.value(key).toBool()); });
    connect(check, &QAbstractButton::toggled, this, [this, key](bool on) { store(key, on); });
}

void PreferencesPage::bind(QComboBox* combo, const char* key) {
    keys_.push_back(key);
    loaders_.push_back([this, combo, key] { combo->setCurrentIndex(combo->findData(preferences_.value(key))); });
    connect(combo, &QComboBox::activated, this, [this, combo, key] {
        if (preferences_.value(key) != combo->currentData()) return store(key, combo->currentData());
        Q_EMIT changed();  // the form may have another value, for example that of an edited job
    });
}

void PreferencesPage::bind(QSpinBox* spin, const char* key) {
    keys_.push_back(key);
    loaders_.push_back([this, spin, key] {
        const QSignalBlocker quiet(spin);
        spin->setValue(preferences_.value(key).toInt());
    });
    connect(spin, &QSpinBox::valueChanged, this, [this, key](int value) { store(key, value); });
}

void PreferencesPage::bind(QLineEdit* edit, const char* key) {
    keys_.push_back(key);
    loaders_.push_back([this, edit, key] {
        if (edit->text() != preferences_.value(key).toString()) edit->setText(preferences_.value(key).toString());
    });
    connect(edit, &QLineEdit::textEdited, this, [this, key](const QString& text) { store(key, text); });
}

void PreferencesPage::bind(Segmented* choice, const char* key, const QStringList& values) {
    keys_.push_back(key);
    loaders_.push_back([this, choice, key, values] {
        choice->setCurrentIndex(
            static_cast<int>(std::max<qsizetype>(0, values.indexOf(preferences_.value(key).toString()))));
    });
    connect(choice, &Segmented::currentChanged, this, [this, key, values](int index) { store(key, values[index]); });
}

void PreferencesPage::onChange(const std::function<void()>& present) {
    loaders_.push_back(present);
}

bool PreferencesPage::matches(const Row& row, const QString& words) const {
    QStringList texts{title_(), row.label->text(), row.note->text()};
    QList<QWidget*> inside = row.field->findChildren<QWidget*>();
    inside << row.field;
    for (const QWidget* widget : std::as_const(inside)) {
        texts << widget->accessibleName() << widget->property("text").toString();
        if (const auto* combo = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < combo->count(); ++i) texts << combo->itemText(i);
    }
    return std::any_of(texts.begin(), texts.end(),
                       [&](const QString& text) { return text.contains(words, Qt::CaseInsensitive); });
}

bool PreferencesPage::filter(const QString& words) {
    bool any = false;
    for (const Row& row : rows_) {
        const bool shown = words.isEmpty() || matches(row, words);
        row.label->setVisible(shown);
        row.field->setVisible(shown);
        row.note->setVisible(shown);
        any = any || shown;
    }
    return any;
}

}  // namespace kinescope::ui
