#include "ui/windows/preferences_pages.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QTime>
#include <QVBoxLayout>

#include "core/api/guard_mode_names.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/models/output_format.h"
#include "ui/models/output_name.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/named.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Preferences)
};

QHBoxLayout* rowOf(QWidget* field) {
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    return row;
}

QCheckBox* addCheck(PreferencesPage* page, QLayout* into, const char* name,
                    const PreferencesPage::TextFunction& words) {
    auto* check = named(new QCheckBox(page), name);
    inEveryLanguage(check, [check, words] {
        check->setText(words());
        check->setAccessibleName(words());
    });
    if (into) into->addWidget(check);
    return check;
}

/// Fills a combo box with translated texts and fixed `values`.
void fill(QComboBox* combo, const QStringList& values, const std::function<QStringList()>& words) {
    for (const QString& value : values) combo->addItem(QString(), value);
    inEveryLanguage(combo, [combo, words] {
        const QStringList texts = words();
        for (int i = 0; i < texts.size(); ++i) combo->setItemText(i, texts[i]);
    });
}

/// Places the field at the left at its preferred width, followed by `more`.
QWidget* beside(PreferencesPage* page, QWidget* field, QWidget* more = nullptr) {
    auto* holder = new QWidget(page);
    QHBoxLayout* row = rowOf(holder);
    row->addWidget(field);
    if (more) row->addWidget(more);
    row->addStretch(1);
    holder->setFocusProxy(field);
    return holder;
}

}  // namespace

PreferencesPage* makeGeneralPage(const PreferencesContext& context) {
    auto* page = named(new PreferencesPage(context.preferences, [] { return Tr::tr("General"); }), "generalPage");
    auto* language = named(new QComboBox(page), "languageCombo");
    fill(language, {"system", "en", "zh_CN"}, [] {
        return QStringList{Tr::tr("Follow system"), QStringLiteral("English"), QString::fromUtf8("简体中文")};
    });
    auto* theme = named(new QComboBox(page), "themeCombo");
    fill(theme, {"system", "dark", "light", "high contrast"}, [] {
        return QStringList{Tr::tr("Follow system"), Tr::tr("Dark"), Tr::tr("Light"), Tr::tr("High contrast")};
    });
    auto* size = named(new QSpinBox(page), "textSizeSpin");
    size->setRange(80, 200);
    size->setSingleStep(10);
    size->setSuffix(QStringLiteral(" %"));
    auto* notify = addCheck(page, nullptr, "notifyCheck",
                            [] { return Tr::tr("Show a notification if the window is in the background"); });
    auto* awake = addCheck(page, nullptr, "keepAwakeCheck", [] { return Tr::tr("Keep the computer awake"); });
    page->addRow(beside(page, language), [] { return Tr::tr("Language"); });
    page->addRow(beside(page, theme), [] { return Tr::tr("Theme"); });
    page->addRow(beside(page, size), [] { return Tr::tr("Text size"); });
    page->addRow(notify, [] { return Tr::tr("When a video is finished"); });
    page->addRow(awake, [] { return Tr::tr("While a video is generated"); });
    page->bind(language, setting::kLanguage);
    page->bind(theme, setting::kTheme);
    page->bind(size, setting::kTextPercent);
    page->bind(notify, setting::kNotify);
    page->bind(awake, setting::kKeepAwake);
    page->load();
    return page;
}

namespace {

void addFolder(PreferencesPage* page, const Desktop& desktop) {
    auto* folder = named(new QLineEdit(page), "outputFolderEdit");
    auto* change = named(new QPushButton(page), "changeOutputFolderButton");
    folder->setReadOnly(true);
    auto* field = new QWidget(page);
    QHBoxLayout* row = rowOf(field);
    row->addWidget(folder, 1);
    row->addWidget(change);
    inEveryLanguage(change, [change] { change->setText(Tr::tr("Change…")); });
    page->addRow(field, [] { return Tr::tr("Folder"); });
    page->bind(folder, setting::kOutputFolder);
    page->onChange([page, folder] { folder->setText(page->preferences().outputFolder()); });
    QObject::connect(change, &QPushButton::clicked, page, [page, &desktop] {
        const QString chosen = desktop.askFolder(Tr::tr("Choose Output Folder"), page->preferences().outputFolder());
        if (!chosen.isEmpty()) page->store(setting::kOutputFolder, chosen);
    });
}

/// Returns the file name of an example video, or names the unknown placeholders of the pattern.
QString exampleName(const Preferences& preferences) {
    const RequestRules rules = preferences.rules();
    const QStringList unknown = unknownTokens(rules.fileName);
    if (!unknown.isEmpty())
        return Tr::tr("Unknown placeholders, left unchanged: %1").arg(unknown.join(QLatin1Char(' ')));
    const OutputNameParts parts{.date = QDate::currentDate(),
                                .prompt = Tr::tr("A lighthouse on a rocky cliff"),
                                .seed = 41823,
                                .time = QTime::currentTime(),
                                .model = QStringLiteral("Wan 2.1"),
                                .size = {832, 480},
                                .frames = 81};
    return outputName(parts, rules.fileName) + QLatin1String(outputFormat(rules.format).ending);
}

void addFileName(PreferencesPage* page) {
    auto* edit = named(new QLineEdit(page), "fileNameEdit");
    QLabel* note = page->addRow(edit, [] { return Tr::tr("File name"); });
    note->setObjectName(QStringLiteral("fileNameExampleLabel"));
    inEveryLanguage(edit, [edit] {
        edit->setToolTip(Tr::tr("Available placeholders: %1").arg(nameTokens().join(QStringLiteral(", "))));
    });
    page->bind(edit, setting::kFileName);
    const auto show = [page, note] { note->setText(exampleName(page->preferences())); };
    page->onChange(show);
    inEveryLanguage(note, show);
}

void addFormat(PreferencesPage* page, const Theme& theme) {
    auto* choice = named(new Segmented(theme, page), "formatButtons");
    QStringList names;
    QStringList ids;
    for (const OutputFormat& format : kOutputFormats) {
        names << QLatin1String(format.name);
        ids << QLatin1String(format.id);
    }
    choice->setItems(names);
    QLabel* note = page->addRow(beside(page, choice), [] { return Tr::tr("Format"); });
    page->bind(choice, setting::kFormat, ids);
    const auto show = [page, note] { note->setText(formatNote(outputFormat(page->preferences().rules().format))); };
    page->onChange(show);
    inEveryLanguage(note, show);
}

void addQuality(PreferencesPage* page) {
    auto* slider = named(new QSlider(Qt::Horizontal, page), "crfSlider");
    slider->setProperty("role", "value");
    auto* spin = named(new QSpinBox(page), "crfSpin");
    auto* field = new QWidget(page);
    QHBoxLayout* row = rowOf(field);
    row->addWidget(slider, 1);
    row->addWidget(spin);
    QLabel* note = page->addRow(field, [] { return Tr::tr("Quality (CRF)"); });
    page->bind(spin, setting::kCrf);
    page->onChange([=] {
        const RequestRules rules = page->preferences().rules();
        const OutputFormat& format = outputFormat(rules.format);
        const QSignalBlocker quietSpin(spin);
        const QSignalBlocker quietSlider(slider);
        for (QWidget* part : {static_cast<QWidget*>(slider), static_cast<QWidget*>(spin)})
            part->setEnabled(format.crfMost > 0);
        spin->setRange(0, format.crfMost);
        slider->setRange(0, format.crfMost);
        spin->setValue(rules.crf.value_or(format.crf));
        slider->setValue(spin->value());
    });
    QObject::connect(slider, &QSlider::valueChanged, spin, &QSpinBox::setValue);
    inEveryLanguage(note, [=] {
        slider->setAccessibleName(Tr::tr("Quality (CRF)"));
        spin->setAccessibleName(Tr::tr("Quality (CRF)"));
        note->setText(Tr::tr(
            "Lower values give better quality and larger files. 0 is lossless; H.264 at 17 is visually lossless."));
    });
}

/// Adds the rows that set how long numeric logs are kept.
void addLogs(PreferencesPage* page) {
    auto* days = named(new QSpinBox(page), "logDaysSpin");
    auto* megabytes = named(new QSpinBox(page), "logMegabytesSpin");
    days->setRange(0, 3650);
    megabytes->setRange(0, 1'000'000);
    megabytes->setSingleStep(100);
    for (QSpinBox* each : {days, megabytes}) each->setGroupSeparatorShown(true);
    auto* log = addCheck(page, nullptr, "numericLogCheck", [] { return Tr::tr("Save one for each video"); });
    auto* field = new QWidget(page);
    auto* column = new QVBoxLayout(field);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(8);
    column->addWidget(log);
    column->addWidget(beside(page, days, megabytes));
    QLabel* note = page->addRow(field, [] { return Tr::tr("Numeric logs"); });
    inEveryLanguage(note, [days, megabytes, note] {
        days->setAccessibleName(Tr::tr("Days to keep numeric logs"));
        days->setSpecialValueText(Tr::tr("Any age"));
        days->setSuffix(Tr::tr(" days", "after a number"));
        megabytes->setAccessibleName(Tr::tr("Maximum size of all numeric logs in MiB"));
        megabytes->setSpecialValueText(Tr::tr("Any size"));
        megabytes->setSuffix(QStringLiteral(" MiB"));
        note->setText(Tr::tr("Older logs, and the oldest ones above this size, are deleted. Folder: %1")
                          .arg(QDir::toNativeSeparators(logFolder())));
    });
    page->bind(log, setting::kNumericLog);
    page->bind(days, setting::kLogDays);
    page->bind(megabytes, setting::kLogMegabytes);
}

}  // namespace

PreferencesPage* makeOutputPage(const PreferencesContext& context) {
    auto* page = named(new PreferencesPage(context.preferences, [] { return Tr::tr("Output"); }), "outputPage");
    addFolder(page, context.desktop);
    addFileName(page);
    addFormat(page, context.theme);
    addQuality(page);
    auto* files = new QWidget(page);
    auto* column = new QVBoxLayout(files);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(10);
    auto* settings = addCheck(page, column, "settingsInFileCheck", [] {
        return Tr::tr("Store the settings in the video so that they can be restored later");
    });
    auto* csv = addCheck(page, column, "numericCsvCheck", [] { return Tr::tr("Numeric log as a table (CSV)"); });
    page->addRow(files, [] { return Tr::tr("Save with the video"); });
    page->bind(settings, setting::kSettingsInFile);
    page->bind(csv, setting::kNumericCsv);
    addLogs(page);
    page->load();
    return page;
}

PreferencesPage* makePerformancePage(const PreferencesContext& context) {
    auto* page =
        named(new PreferencesPage(context.preferences, [] { return Tr::tr("Performance"); }), "performancePage");
    auto* device = named(new QComboBox(page), "deviceCombo");
    fill(device, {"auto"}, [] { return QStringList{Tr::tr("Automatic")}; });
    auto* threads = named(new QSpinBox(page), "threadsSpin");
    threads->setRange(0, 1024);
    inEveryLanguage(threads, [threads] { threads->setSpecialValueText(Tr::tr("One per core")); });
    page->addRow(
        beside(page, device), [] { return Tr::tr("Compute device"); },
        [] {
            return Tr::tr("Automatic selects the first device that passed its check. Changes apply to the next video.");
        });
    page->addRow(
        beside(page, threads), [] { return Tr::tr("CPU threads"); },
        [] { return Tr::tr("Too many threads slow the computer down."); });
    page->bind(device, setting::kDevice);
    page->bind(threads, setting::kThreads);
    page->load();
    QObject::connect(
        &context.bridge, &EngineBridge::devicesFound, page, [page, device](const std::vector<DeviceInfo>& devices) {
            while (device->count() > 1) device->removeItem(1);
            for (const DeviceInfo& info : devices) {
                if (!info.unusable.empty()) continue;
                device->addItem(
                    QStringLiteral("%1 (%2)").arg(QString::fromStdString(info.name), QString::fromStdString(info.id)),
                    QString::fromStdString(info.id));
            }
            page->load();
        });
    context.bridge.askDevices();
    return page;
}

PreferencesPage* makeGuardPage(const PreferencesContext& context) {
    auto* page = named(new PreferencesPage(context.preferences, [] { return Tr::tr("Guard"); }), "guardPage");
    auto* mode = named(new Segmented(context.theme, page), "guardModeButtons");
    mode->setItems({QString(), QString(), QString()});
    inEveryLanguage(mode, [mode] { mode->setTexts({Tr::tr("Heal"), Tr::tr("Observe"), Tr::tr("Off")}); });
    auto* help = new HelpButton(context.theme, QStringLiteral("precision#guard"), page);
    QLabel* note = page->addRow(beside(page, mode, help), [] { return Tr::tr("If values become invalid"); });
    QStringList modes;
    for (const GuardMode guard : {GuardMode::heal, GuardMode::observe, GuardMode::off})
        modes.append(QLatin1String(guard_mode_name(guard)));
    page->bind(mode, setting::kGuard, modes);
    const auto show = [page, note] {
        const GuardMode guard = page->preferences().rules().guard;
        note->setText(
            guard == GuardMode::heal
                ? Tr::tr("The guard repeats the step with more precision in the affected op, and the run continues.")
            : guard == GuardMode::observe
                ? Tr::tr("Findings are recorded and shown, but nothing is changed. The video may be black or gray.")
                : Tr::tr("Only the finished frames are checked."));
    };
    page->onChange(show);
    inEveryLanguage(note, show);
    page->load();
    return page;
}

}  // namespace kinescope::ui
