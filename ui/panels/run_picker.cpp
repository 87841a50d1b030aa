#include "ui/panels/run_picker.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

#include "ui/widgets/language.h"

namespace kinescope::ui {
namespace {

constexpr int kMostOffered = 40;
const QStringList kEndings{QStringLiteral("*.mp4"), QStringLiteral("*.mkv"), QStringLiteral("*.webm"),
                           QStringLiteral("*.mov"), QStringLiteral("*.gif"), QStringLiteral("*.jsonl")};

}  // namespace

RunPicker::RunPicker(const QString& letter, QWidget* parent) : QComboBox(parent), letter_(letter) {
    setObjectName(QStringLiteral("run%1Combo").arg(letter));
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(16);
    connect(this, &QComboBox::activated, this, &RunPicker::choose);
    inEveryLanguage(this, [this] {
        setAccessibleName(tr("Run %1").arg(letter_));
        updateItems();
    });
}

void RunPicker::offer(const QString& folder) {
    offered_.clear();
    const QFileInfoList files = QDir(folder).entryInfoList(kEndings, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files.first(std::min<qsizetype>(files.size(), kMostOffered)))
        offered_ << file.absoluteFilePath();
    updateItems();
}

void RunPicker::setFile(const QString& file) {
    file_ = file;
    updateItems();
    Q_EMIT fileChosen();
}

void RunPicker::updateItems() {
    clear();
    addItem(tr("%1: select a run").arg(letter_));
    QStringList files = offered_;
    if (!file_.isEmpty() && !files.contains(file_)) files.prepend(file_);
    for (const QString& file : files) {
        addItem(tr("%1: %2", "letter and file name").arg(letter_, QFileInfo(file).fileName()), file);
        setItemData(count() - 1, QDir::toNativeSeparators(file), Qt::ToolTipRole);
    }
    insertSeparator(count());
    addItem(tr("Choose a file…"));
    setCurrentIndex(file_.isEmpty() ? 0 : findData(file_));
}

void RunPicker::choose(int index) {
    const QString file = itemData(index).toString();
    if (!file.isEmpty()) return setFile(file);
    const bool asks = index == count() - 1;
    setCurrentIndex(file_.isEmpty() ? 0 : findData(file_));
    if (asks) askForFile();
}

void RunPicker::askForFile() {
    auto* dialog = new QFileDialog(this, tr("Choose run %1").arg(letter_));
    dialog->setObjectName(QStringLiteral("chooseRunDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Videos and numeric logs (%1)").arg(kEndings.join(QLatin1Char(' '))));
    connect(dialog, &QFileDialog::fileSelected, this, &RunPicker::setFile);
    dialog->open();
}

}  // namespace kinescope::ui
