// The preferences page with the list of other computers.
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/computer_list_model.h"
#include "ui/text/computer_words.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/text_view.h"
#include "ui/widgets/theme.h"
#include "ui/windows/preferences_pages.h"

namespace kinescope::ui {
namespace {

struct ComputersText {
    Q_DECLARE_TR_FUNCTIONS(Preferences)
};

/// Lines "here = there".
QString pathsText(const std::vector<PathMap>& paths) {
    QStringList lines;
    for (const PathMap& map : paths)
        lines << QString::fromStdString(map.here.string()) + QStringLiteral(" = ") +
                     QString::fromStdString(map.there.string());
    return lines.join(QLatin1Char('\n'));
}

/// The two sides of a line. A folder may have an equals sign in its name, but hardly one between blanks.
PathMap pathMapFrom(const QString& line) {
    const bool hasBlanks = line.contains(QLatin1String(" = "));
    const QString equals = hasBlanks ? QStringLiteral(" = ") : QStringLiteral("=");
    return {line.section(equals, 0, 0).trimmed().toStdString(), line.section(equals, 1).trimmed().toStdString()};
}

enum class PathFault { none, notTwoFolders, notFullPath };

PathFault faultOf(const PathMap& map) {
    if (map.here.empty() || map.there.empty()) return PathFault::notTwoFolders;
    const bool areFull = map.here.is_absolute() && map.there.is_absolute();
    return areFull ? PathFault::none : PathFault::notFullPath;
}

/// A line of the model folders that cannot be saved.
struct PathLineFault {
    PathFault fault = PathFault::none;
    int number = 0;  ///< of the line, from 1
    QString line;
};

QString faultText(const PathLineFault& found) {
    return found.fault == PathFault::notTwoFolders
               ? ComputersText::tr("Line %1 of Model folders is not “folder here = folder there”: %2", "number, line")
                     .arg(found.number)
                     .arg(found.line)
               : ComputersText::tr("Line %1 of Model folders needs a full path on both sides: %2", "number, line")
                     .arg(found.number)
                     .arg(found.line);
}

struct PathLines {
    std::vector<PathMap> paths;
    PathLineFault fault;  ///< the first one
};

PathLines pathsFrom(const QString& text) {
    PathLines read;
    int number = 0;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        ++number;
        if (line.trimmed().isEmpty()) continue;
        const PathMap map = pathMapFrom(line);
        const PathFault fault = faultOf(map);
        if (fault == PathFault::none)
            read.paths.push_back(map);
        else if (read.fault.fault == PathFault::none)
            read.fault = {fault, number, line.trimmed()};
    }
    return read;
}

QString lineOf(const DeviceInfo& device) {
    return ComputersText::tr("%1, %2 of %3 free", "device, memory")
        .arg(QString::fromStdString(device.name), bytesText(device.memory_free_bytes),
             bytesText(device.memory_total_bytes));
}

/// What a computer offers: devices, number of models, free memory and disk space, jobs.
QString factsText(const ComputerFacts& facts) {
    QStringList lines;
    for (const DeviceInfo& device : facts.devices)
        if (device.unusable.empty()) lines << lineOf(device);
    lines << ComputersText::tr("%Ln models", nullptr, facts.num_models);
    if (facts.free_disk_bytes)
        lines << ComputersText::tr("%1 of disk space free").arg(bytesText(*facts.free_disk_bytes));
    if (facts.num_open_jobs > 0) lines << ComputersText::tr("%Ln open jobs", nullptr, facts.num_open_jobs);
    return lines.join(QLatin1Char('\n'));
}

/// Less free disk space than this is too little for the inputs and the result of a job.
constexpr std::int64_t kLeastFreeBytes = 100'000'000;

/// The list, and the fields of the selected computer. "New" empties the fields; "Save" stores them.
class ComputerEditor : public QObject {
public:
    ComputerEditor(const PreferencesContext& context, PreferencesPage* page)
        : QObject(page),
          model_(ComputerListModel::of(context.bridge)),
          list_(named(new QListView(page), "computerList")),
          name_(named(new QLineEdit(page), "computerNameEdit")),
          command_(named(new QLineEdit(page), "computerCommandEdit")),
          paths_(named(new QPlainTextEdit(page), "computerPathsEdit")),
          add_(button(page, "addComputerButton")),
          addCluster_(button(page, "addClusterButton")),
          remove_(button(page, "removeComputerButton")),
          save_(button(page, "saveComputerButton")),
          test_(button(page, "testComputerButton")),
          result_(named(new MessageLine(context.theme, page), "computerResult")),
          facts_(named(new TextView(page), "computerFactsText")) {
        list_->setModel(&model_);
        list_->setFixedHeight(72);
        list_->setProperty("role", "field");
        paths_->setFixedHeight(56);
        paths_->setTabChangesFocus(true);
        facts_->setProperty("type", "caption");
        layOut(context, page);
        wire();
        inEveryLanguage(page, [this] { retranslate(); });
        hideThisComputer();
        showSelected();
    }
    ~ComputerEditor() override { model_.cancelTest(); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool isAnswer = watched == facts_ && event->type() == QEvent::Resize && !facts_->toPlainText().isEmpty();
        if (isAnswer && follows_ == Follows::answer) reveal(facts_);
        return QObject::eventFilter(watched, event);
    }

private:
    template <class Field>
    static Field* named(Field* field, const char* name) {
        field->setObjectName(QLatin1String(name));
        return field;
    }
    static QPushButton* button(PreferencesPage* page, const char* name) {
        auto* made = named(new QPushButton(page), name);
        made->setAutoDefault(false);
        return made;
    }
    static QWidget* inRow(PreferencesPage* page, const QList<QWidget*>& widgets) {
        auto* field = new QWidget(page);
        auto* row = new QHBoxLayout(field);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        for (QWidget* widget : widgets) row->addWidget(widget);
        row->addStretch(1);
        return field;
    }

    void layOut(const PreferencesContext& context, PreferencesPage* page) {
        auto* help = new HelpButton(context.theme, QStringLiteral("queue#computers"), page);
        page->addText([] {
            return ComputersText::tr(
                "Videos can be generated on other computers with Kinescope, or on a Slurm cluster. The connection is "
                "made by the command, usually SSH with a key; no port is opened and no password is stored.");
        });
        page->addRow(list_, [] { return ComputersText::tr("Computers"); });
        page->addRow(inRow(page, {add_, addCluster_, remove_, help}), [] { return QString(); });
        page->addRow(name_, [] { return ComputersText::tr("Name"); });
        page->addRow(command_, [] { return ComputersText::tr("Command"); });
        page->addRow(
            paths_, [] { return ComputersText::tr("Model folders"); },
            [] {
                return ComputersText::tr(
                    "Optional, one per line: a folder here, “ = ”, the same folder there. Other models are found by "
                    "their contents.");
            });
        auto* answer = new QWidget(page);
        auto* column = new QVBoxLayout(answer);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(inRow(page, {save_, test_}));
        column->addWidget(result_);
        column->addWidget(facts_);
        page->addRow(answer, [] { return QString(); });
    }

    void wire() {
        connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { showSelected(); });
        connect(add_, &QPushButton::clicked, this, [this] { begin(QString()); });
        connect(addCluster_, &QPushButton::clicked, this, [this] {
            begin(
                QStringLiteral("ssh login kinescope-cli serve --keep --slurm --shared-dir /shared/kinescope "
                               "--partition gpu --gres gpu:1"));
        });
        connect(remove_, &QPushButton::clicked, this, [this] {
            cancelTest();
            followAnswer();
            model_.removeRow(list_->currentIndex().row());
        });
        connect(save_, &QPushButton::clicked, this, &ComputerEditor::save);
        connect(test_, &QPushButton::clicked, this, [this] {
            if (isTesting_) return cancelTest();
            followAnswer();
            setTesting(true);
            facts_->showText({});
            result_->setMessageInEveryLanguage(Severity::info, [] { return ComputersText::tr("Connecting…"); });
            model_.test(edited());
        });
        for (QLineEdit* edit : {name_, command_})
            connect(edit, &QLineEdit::textChanged, this, [this] {
                forgetAnswer();
                updateButtons();
                nameMissingField();
            });
        connect(paths_, &QPlainTextEdit::textChanged, this, &ComputerEditor::forgetAnswer);
        connect(&model_, &ComputerListModel::modelReset, this, [this] {
            hideThisComputer();
            if (const int row = model_.rowOf(wanted_.toStdString()); row > 0) list_->setCurrentIndex(model_.index(row));
            showSelected();
        });
        connect(&model_, &ComputerListModel::saved, this, [this] {
            facts_->showText({});
            result_->setMessageInEveryLanguage(Severity::ok, [] { return ComputersText::tr("Saved."); });
        });
        connect(&model_, &ComputerListModel::refused, this, [this](const Error& error) { showError(error); });
        connect(&model_, &ComputerListModel::testFailed, this, [this](const Error& error) {
            setTesting(false);
            showError(error);
        });
        connect(&model_, &ComputerListModel::tested, this, [this](const ComputerFacts& facts) {
            setTesting(false);
            showWorking(facts);
            facts_->showText(factsText(facts));
        });
        facts_->installEventFilter(this);
    }

    void save() {
        cancelTest();
        clearResult();
        followAnswer();
        if (const PathLineFault found = pathsFrom(paths_->toPlainText()).fault; found.fault != PathFault::none)
            return result_->setMessageInEveryLanguage(Severity::error, [found] { return faultText(found); });
        wanted_ = name_->text().trimmed();
        model_.set(list_->currentIndex().isValid() ? list_->currentIndex().row() : model_.rowCount(), edited());
    }

    void setTesting(bool isTesting) {
        isTesting_ = isTesting;
        retranslate();
        updateButtons();
    }

    void cancelTest() {
        if (!isTesting_) return;
        model_.cancelTest();
        setTesting(false);
        result_->setMessageInEveryLanguage(Severity::info, [] { return ComputersText::tr("The test was cancelled."); });
    }

    static QScrollArea* areaAround(QWidget* widget) {
        QWidget* parent = widget->parentWidget();
        while (parent != nullptr && qobject_cast<QScrollArea*>(parent) == nullptr) parent = parent->parentWidget();
        return qobject_cast<QScrollArea*>(parent);
    }

    /// From now on, the page scrolls to an answer, until the user scrolls.
    void followAnswer() {
        follows_ = Follows::answer;
        if (const QScrollArea* area = areaAround(facts_))
            connect(area->verticalScrollBar(), &QScrollBar::actionTriggered, this, &ComputerEditor::followUser,
                    Qt::UniqueConnection);
    }
    void followUser() { follows_ = Follows::user; }

    /// Scrolls to a text that has just got its size, as soon as the page has, too. QScrollArea::ensureWidgetVisible()
    /// would show only the line of the cursor.
    void reveal(QWidget* widget) {
        QTimer::singleShot(0, widget, [widget] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            QScrollArea* area = areaAround(widget);
            if (area == nullptr) return;
            for (const int y : {widget->height(), 0}) {
                const QPoint end = widget->mapTo(area->widget(), QPoint(0, y));
                area->ensureVisible(end.x(), end.y(), 0, 0);
            }
        });
    }

    /// Begins a new entry.
    void begin(const QString& command) {
        list_->setCurrentIndex({});
        showSelected();
        command_->setText(command);
        command_->setCursorPosition(0);
        name_->setFocus();
    }

    void hideThisComputer() { list_->setRowHidden(0, true); }

    void showWorking(const ComputerFacts& facts) {
        if (facts.free_disk_bytes.value_or(kLeastFreeBytes) >= kLeastFreeBytes)
            return result_->setMessageInEveryLanguage(Severity::ok,
                                                      [] { return ComputersText::tr("The connection works."); });
        result_->setMessageInEveryLanguage(Severity::warning, [] {
            return ComputersText::tr(
                "The connection works, but the disk there is full: it has no room for inputs and results.");
        });
    }

    void showError(const Error& error) {
        result_->setMessageInEveryLanguage(Severity::error, [error] { return computerErrorText(error); });
        facts_->showText(computerErrorDetail(error));
    }

    /// What was said about the former fields is not true of the new ones.
    void forgetAnswer() {
        if (isTesting_)
            cancelTest();
        else
            clearResult();
    }

    void clearResult() {
        result_->clear();
        facts_->showText({});
    }

    const Computer* selected() const {
        const int row = list_->currentIndex().row();
        return row < 1 ? nullptr : &model_.others()[static_cast<std::size_t>(row - 1)].computer;
    }

    void showSelected() {
        const Computer* computer = selected();
        name_->setText(computer ? QString::fromStdString(computer->name) : QString());
        command_->setText(computer ? QString::fromStdString(computer->command) : QString());
        paths_->setPlainText(computer ? pathsText(computer->paths) : QString());
        cancelTest();
        clearResult();
        updateButtons();
    }

    Computer edited() const {
        return {name_->text().trimmed().toStdString(), command_->text().trimmed().toStdString(),
                pathsFrom(paths_->toPlainText()).paths};
    }

    void updateButtons() {
        const bool filled = !name_->text().trimmed().isEmpty() && !command_->text().trimmed().isEmpty();
        save_->setEnabled(filled);
        test_->setEnabled(filled || isTesting_);
        remove_->setEnabled(selected() != nullptr);
    }

    /// Says why nothing can be tested or saved.
    void nameMissingField() {
        const bool hasName = !name_->text().trimmed().isEmpty();
        const bool hasCommand = !command_->text().trimmed().isEmpty();
        if (hasName == hasCommand) return;
        result_->setMessageInEveryLanguage(Severity::info, [hasName] {
            return hasName ? ComputersText::tr("Enter the command that starts Kinescope there.")
                           : ComputersText::tr("Enter a name for the computer.");
        });
    }

    void retranslate() {
        add_->setText(ComputersText::tr("New"));
        addCluster_->setText(ComputersText::tr("New cluster"));
        addCluster_->setToolTip(ComputersText::tr("A Slurm cluster, which is reached through its login node"));
        remove_->setText(ComputersText::tr("Remove"));
        save_->setText(ComputersText::tr("Save"));
        test_->setText(isTesting_ ? ComputersText::tr("Cancel") : ComputersText::tr("Test connection"));
        command_->setPlaceholderText(QStringLiteral("ssh workstation kinescope-cli serve --keep"));
        paths_->setPlaceholderText(QStringLiteral("/home/me/models = /data/models"));
        list_->setAccessibleName(ComputersText::tr("Computers"));
    }

    ComputerListModel& model_;
    QListView* list_;
    QLineEdit* name_;
    QLineEdit* command_;
    QPlainTextEdit* paths_;
    QPushButton* add_;
    QPushButton* addCluster_;
    QPushButton* remove_;
    QPushButton* save_;
    QPushButton* test_;
    MessageLine* result_;
    TextView* facts_;
    bool isTesting_ = false;
    enum class Follows { answer, user };
    Follows follows_ = Follows::user;  ///< what the page shows when an answer arrives
    QString wanted_;                   ///< the name to select after the list has changed
};

}  // namespace

PreferencesPage* makeComputersPage(const PreferencesContext& context) {
    auto* page = new PreferencesPage(context.preferences, [] { return ComputersText::tr("Computers"); });
    page->setObjectName(QStringLiteral("computersPage"));
    new ComputerEditor(context, page);
    return page;
}

}  // namespace kinescope::ui
