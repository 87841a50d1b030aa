#include "ui/windows/preferences_pages.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QTime>
#include <QVBoxLayout>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/output_format.h"
#include "ui/models/output_name.h"
#include "ui/models/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Preferences)
};

QHBoxLayout* rowOf(QWidget* field) {
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    return row;
}

template <class Field>
Field* named(Field* field, const char* name) {
    field->setObjectName(QLatin1String(name));
    return field;
}

QCheckBox* addCheck(PreferencesPage* page, QLayout* into, const char* name, const PreferencesPage::Words& words) {
    auto* check = named(new QCheckBox(page), name);
    inEveryLanguage(check, [check, words] {
        check->setText(words());
        check->setAccessibleName(words());
    });
    if (into) into->addWidget(check);
    return check;
}

/// A combo whose words follow the language; `values` stay.
void fill(QComboBox* combo, const QStringList& values, const std::function<QStringList()>& words) {
    for (const QString& value : values) combo->addItem(QString(), value);
    inEveryLanguage(combo, [combo, words] {
        const QStringList texts = words();
        for (int i = 0; i < texts.size(); ++i) combo->setItemText(i, texts[i]);
    });
}

/// The field at its natural width, not across the page.
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
    auto* page = named(new PreferencesPage(context.preferences, [] { return Words::tr("General"); }), "generalPage");
    auto* language = named(new QComboBox(page), "languageCombo");
    fill(language, {"system", "en", "zh_CN"}, [] {
        return QStringList{Words::tr("As the system"), QStringLiteral("English"), QString::fromUtf8("简体中文")};
    });
    auto* theme = named(new QComboBox(page), "themeCombo");
    fill(theme, {"system", "dark", "light", "high contrast"}, [] {
        return QStringList{Words::tr("As the system"), Words::tr("Dark"), Words::tr("Light"),
                           Words::tr("High contrast")};
    });
    auto* size = named(new QSpinBox(page), "textSizeSpin");
    size->setRange(80, 200);
    size->setSingleStep(10);
    size->setSuffix(QStringLiteral(" %"));
    auto* notify = addCheck(page, nullptr, "notifyCheck",
                            [] { return Words::tr("Say so on the desktop when the window is not in front"); });
    auto* awake =
        addCheck(page, nullptr, "keepAwakeCheck", [] { return Words::tr("Keep the computer awake while it works"); });
    page->addRow(beside(page, language), [] { return Words::tr("Language"); });
    page->addRow(beside(page, theme), [] { return Words::tr("Theme"); });
    page->addRow(beside(page, size), [] { return Words::tr("Text size"); });
    page->addRow(notify, [] { return Words::tr("When a video is done"); });
    page->addRow(awake, [] { return Words::tr("While a video is made"); });
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
    inEveryLanguage(change, [change] { change->setText(Words::tr("Change…")); });
    page->addRow(field, [] { return Words::tr("Folder"); });
    page->bind(folder, setting::kOutputFolder);
    page->onChange([page, folder] { folder->setText(page->preferences().outputFolder()); });
    QObject::connect(change, &QPushButton::clicked, page, [page, &desktop] {
        const QString chosen = desktop.askFolder(Words::tr("Folder for videos"), page->preferences().outputFolder());
        if (!chosen.isEmpty()) page->store(setting::kOutputFolder, chosen);
    });
}

/// What the pattern makes of an example, or which token is not known.
QString exampleName(const Preferences& preferences) {
    const RequestRules rules = preferences.rules();
    const QStringList unknown = unknownTokens(rules.fileName);
    if (!unknown.isEmpty()) return Words::tr("%1 is not known and stays as it is.").arg(unknown.join(QLatin1Char(' ')));
    const OutputNameParts parts{.date = QDate::currentDate(),
                                .prompt = Words::tr("A lighthouse on a rocky cliff"),
                                .seed = 41823,
                                .time = QTime::currentTime(),
                                .model = QStringLiteral("Wan 2.1"),
                                .size = {832, 480},
                                .frames = 81};
    return outputName(parts, rules.fileName) + QLatin1String(outputFormat(rules.format).ending);
}

void addFileName(PreferencesPage* page) {
    auto* edit = named(new QLineEdit(page), "fileNameEdit");
    QLabel* note = page->addRow(edit, [] { return Words::tr("File name"); });
    note->setObjectName(QStringLiteral("fileNameExampleLabel"));
    inEveryLanguage(
        edit, [edit] { edit->setToolTip(Words::tr("May hold %1.").arg(nameTokens().join(QStringLiteral(", ")))); });
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
    QLabel* note = page->addRow(beside(page, choice), [] { return Words::tr("Format"); });
    page->bind(choice, setting::kFormat, ids);
    const auto show = [page, note] { note->setText(formatNote(outputFormat(page->preferences().rules().format))); };
    page->onChange(show);
    inEveryLanguage(note, show);
}

void addQuality(PreferencesPage* page) {
    auto* slider = named(new QSlider(Qt::Horizontal, page), "crfSlider");
    auto* spin = named(new QSpinBox(page), "crfSpin");
    auto* field = new QWidget(page);
    QHBoxLayout* row = rowOf(field);
    row->addWidget(slider, 1);
    row->addWidget(spin);
    QLabel* note = page->addRow(field, [] { return Words::tr("Quality (CRF)"); });
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
        slider->setAccessibleName(Words::tr("Quality (CRF)"));
        spin->setAccessibleName(Words::tr("Quality (CRF)"));
        note->setText(Words::tr("Lower is better and larger. 0 loses nothing; at 17 H.264 looks like the original."));
    });
}

}  // namespace

PreferencesPage* makeOutputPage(const PreferencesContext& context) {
    auto* page = named(new PreferencesPage(context.preferences, [] { return Words::tr("Output"); }), "outputPage");
    addFolder(page, context.desktop);
    addFileName(page);
    addFormat(page, context.theme);
    addQuality(page);
    auto* files = new QWidget(page);
    auto* column = new QVBoxLayout(files);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(10);
    auto* settings = addCheck(page, column, "settingsInFileCheck",
                              [] { return Words::tr("Settings inside the file, so that it can be dropped back"); });
    auto* log = addCheck(page, column, "numericLogCheck", [] { return Words::tr("Numeric log (JSON Lines)"); });
    auto* csv = addCheck(page, column, "numericCsvCheck", [] { return Words::tr("Numeric log (CSV)"); });
    page->addRow(files, [] { return Words::tr("Beside the video"); });
    page->bind(settings, setting::kSettingsInFile);
    page->bind(log, setting::kNumericLog);
    page->bind(csv, setting::kNumericCsv);
    page->load();
    return page;
}

PreferencesPage* makePerformancePage(const PreferencesContext& context) {
    auto* page =
        named(new PreferencesPage(context.preferences, [] { return Words::tr("Performance"); }), "performancePage");
    auto* device = named(new QComboBox(page), "deviceCombo");
    fill(device, {"auto"}, [] { return QStringList{Words::tr("Automatic")}; });
    auto* threads = named(new QSpinBox(page), "threadsSpin");
    threads->setRange(0, 1024);
    inEveryLanguage(threads, [threads] { threads->setSpecialValueText(Words::tr("One for each core")); });
    page->addRow(
        beside(page, device), [] { return Words::tr("Compute on"); },
        [] {
            return Words::tr("Automatic takes the first device that passed its check. It holds for the next video.");
        });
    page->addRow(
        beside(page, threads), [] { return Words::tr("Processor threads"); },
        [] { return Words::tr("Too many slow the computer down."); });
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
    auto* page = named(new PreferencesPage(context.preferences, [] { return Words::tr("Guard"); }), "guardPage");
    auto* mode = named(new Segmented(context.theme, page), "guardModeButtons");
    mode->setItems({QString(), QString(), QString()});
    inEveryLanguage(mode, [mode] { mode->setTexts({Words::tr("Repair"), Words::tr("Watch"), Words::tr("Off")}); });
    auto* help = new HelpButton(context.theme, QStringLiteral("precision#guard"), page);
    QLabel* note = page->addRow(beside(page, mode, help), [] { return Words::tr("When numbers go wrong"); });
    page->bind(mode, setting::kGuard, {"heal", "observe", "off"});
    const auto show = [page, note] {
        const GuardMode guard = page->preferences().rules().guard;
        note->setText(guard == GuardMode::heal
                          ? Words::tr("The step is made again with that layer more precise, and the run goes on.")
                      : guard == GuardMode::observe
                          ? Words::tr("It is written down and shown. The video may come out black or grey.")
                          : Words::tr("Only the finished frames are looked at."));
    };
    page->onChange(show);
    inEveryLanguage(note, show);
    page->load();
    return page;
}

}  // namespace kinescope::ui
