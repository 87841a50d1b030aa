#include "ui/windows/shortcuts_dialog.h"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>

namespace kinescope::ui {
namespace {

constexpr int kGroupsInColumn = 2;
constexpr int kColumns = 3;

/// Removes the mnemonic, such as "&O" or "(&O)", from a menu text.
QString plain(QString text) {
    static const QRegularExpression letter(QStringLiteral("\\(&.\\)"));
    return text.remove(letter).remove(QLatin1Char('&'));
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(const QMenuBar& menus, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("shortcutsDialog"));
    setWindowTitle(tr("Keyboard shortcuts"));
    auto* row = new QHBoxLayout;
    row->setSpacing(40);
    QList<QVBoxLayout*> columns;
    for (int i = 0; i < kColumns; ++i) {
        columns << new QVBoxLayout;
        columns.back()->setSpacing(4);
        row->addLayout(columns.back());
    }
    int group = 0;
    for (const QAction* top : menus.actions()) {
        Keys keys;
        collect(*top->menu(), keys);
        if (!keys.isEmpty()) addGroup(*columns[group++ / kGroupsInColumn], plain(top->text()), keys);
    }
    addGroup(*columns.back(), tr("In the preview"), playerKeys());
    addGroup(*columns.back(), tr("In the window"), windowKeys());
    for (QVBoxLayout* column : std::as_const(columns)) column->addStretch(1);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("closeShortcutsButton"));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(24, 16, 24, 16);
    all->setSpacing(8);
    all->addLayout(row);
    all->addWidget(close, 0, Qt::AlignRight);
}

void ShortcutsDialog::collect(const QMenu& menu, Keys& keys) {
    for (const QAction* action : menu.actions()) {
        if (action->menu()) collect(*action->menu(), keys);
        if (!action->shortcut().isEmpty())
            keys << std::pair(plain(action->text()), action->shortcut().toString(QKeySequence::NativeText));
    }
}

ShortcutsDialog::Keys ShortcutsDialog::playerKeys() {
    const auto text = [](const QKeySequence& key) { return key.toString(QKeySequence::NativeText); };
    return {
        {tr("Play or pause"), text(Qt::Key_Space)},
        {tr("Previous or next frame"), text(Qt::Key_Left) + QLatin1String(", ") + text(Qt::Key_Right)},
        {tr("Ten frames back or forward"),
         text(Qt::SHIFT | Qt::Key_Left) + QLatin1String(", ") + text(Qt::SHIFT | Qt::Key_Right)},
        {tr("First or last frame"), text(Qt::Key_Home) + QLatin1String(", ") + text(Qt::Key_End)},
        {tr("Loop"), text(Qt::Key_L)},
        {tr("Compare"), text(Qt::Key_C)},
        {tr("Save frame"), text(Qt::Key_S)},
        {tr("Theater mode"), text(Qt::Key_F)},
        {tr("Leave theater mode"), text(Qt::Key_Escape)},
    };
}

ShortcutsDialog::Keys ShortcutsDialog::windowKeys() {
    const auto text = [](const QKeySequence& key) { return key.toString(QKeySequence::NativeText); };
    return {{tr("Next or previous panel"), text(Qt::Key_F6) + QLatin1String(", ") + text(Qt::SHIFT | Qt::Key_F6)}};
}

void ShortcutsDialog::addGroup(QVBoxLayout& column, const QString& title, const Keys& keys) {
    auto* head = new QLabel(title, this);
    head->setProperty("type", "strong");
    column.addWidget(head);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    for (const auto& [what, key] : keys) {
        auto* combination = new QLabel(key, this);
        combination->setProperty("type", "caption");
        grid->addWidget(new QLabel(what, this), grid->rowCount(), 0);
        grid->addWidget(combination, grid->rowCount() - 1, 1, Qt::AlignRight);
    }
    column.addLayout(grid);
    column.addSpacing(8);
}

}  // namespace kinescope::ui
