#include "ui/panels/run_picker.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "ui/models/history_model.h"
#include "ui/models/media_files.h"
#include "ui/panels/thumbnail_painting.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kMostOffered = 100;
constexpr int kListWidth = 420;
constexpr int kItemMargin = 6;
constexpr QSize kItemPicture(64, 40);

/// Paints an entry: thumbnail, prompt and facts. An entry without a file has only its text.
class RunDelegate : public QStyledItemDelegate {
public:
    RunDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (!isRun(index)) return QStyledItemDelegate::sizeHint(option, index);
        const int lines =
            QFontMetrics(theme_.font(Type::body)).height() + QFontMetrics(theme_.font(Type::caption)).height() + 4;
        return {kListWidth, std::max(kItemPicture.height(), lines) + 2 * kItemMargin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (!isRun(index)) return QStyledItemDelegate::paint(painter, option, index);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver))
            painter->fillRect(option.rect, theme_.tint(ColorRole::accent, 0.16));
        const QRectF picture(option.rect.left() + kItemMargin, option.rect.center().y() - kItemPicture.height() / 2.0,
                             kItemPicture.width(), kItemPicture.height());
        paintThumbnail(*painter, theme_, picture,
                       {.image = index.data(Qt::DecorationRole).value<QImage>(), .radius = 4});
        const QRect text =
            option.rect.adjusted(kItemPicture.width() + 3 * kItemMargin, kItemMargin, -kItemMargin, -kItemMargin);
        paintLine(*painter, text, Qt::AlignTop, index.data().toString(), {Type::body, ColorRole::text});
        paintLine(*painter, text, Qt::AlignBottom, index.data(RunPicker::FactsRole).toString(),
                  {Type::caption, ColorRole::text3});
        painter->restore();
    }

private:
    struct Look {
        Type type;
        ColorRole role;
    };

    static bool isRun(const QModelIndex& index) { return !index.data(RunPicker::FactsRole).toString().isEmpty(); }

    void paintLine(QPainter& painter, const QRect& area, Qt::Alignment side, const QString& text, Look look) const {
        painter.setFont(theme_.font(look.type));
        painter.setPen(theme_.color(look.role));
        painter.drawText(area, static_cast<int>(side),
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, area.width()));
    }

    const Theme& theme_;
};

QString factsOf(const HistoryItem& item) {
    const QString when = QLocale().toString(item.made, QLocale::ShortFormat);
    return RunPicker::tr("%1, %2", "date, file name").arg(when, QFileInfo(item.file).fileName());
}

}  // namespace

RunPicker::RunPicker(const Theme& theme, const QString& letter, QWidget* parent) : QComboBox(parent), letter_(letter) {
    setObjectName(QStringLiteral("run%1Combo").arg(letter));
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(16);
    setIconSize({0, 0});  // the closed box shows only text
    view()->setItemDelegate(new RunDelegate(theme, view()));
    view()->setMinimumWidth(kListWidth);
    connect(this, &QComboBox::activated, this, &RunPicker::choose);
    inEveryLanguage(this, [this] {
        setAccessibleName(tr("Run %1").arg(letter_));
        updateItems();
    });
}

void RunPicker::setHistory(HistoryModel& history) {
    history_ = &history;
    connect(history_, &HistoryModel::scanned, this, [this] {
        if (isVisible()) updateItems();
    });
    connect(history_, &HistoryModel::itemChanged, this, &RunPicker::updateItem);
    connect(&history_->thumbnails(), &ThumbnailStore::ready, this, &RunPicker::updateItem);
}

void RunPicker::showEvent(QShowEvent* event) {
    QComboBox::showEvent(event);
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
    if (!file_.isEmpty() && (!history_ || !isVisible() || !history_->item(file_))) {
        addItem(tr("%1: %2", "letter and file name").arg(letter_, QFileInfo(file_).fileName()), file_);
        setItemData(count() - 1, QDir::toNativeSeparators(file_), Qt::ToolTipRole);
    }
    int offered = 0;
    if (history_ && isVisible()) {
        for (const HistoryItem& item : history_->items()) {
            const bool isChosen = item.file == file_;
            if (!isChosen && (item.missing || ++offered > kMostOffered)) continue;
            addItem(QString(), item.file);
            updateItem(item.file);
        }
    }
    insertSeparator(count());
    addItem(tr("Choose a file…"));
    setCurrentIndex(file_.isEmpty() ? 0 : findData(file_));
}

/// Updates the texts and the picture of an entry.
void RunPicker::updateItem(const QString& file) {
    const HistoryItem* item = history_ && isVisible() ? history_->item(file) : nullptr;
    const int index = item ? findData(file) : -1;
    if (index < 0) return;
    setItemText(index, tr("%1: %2", "letter and prompt").arg(letter_, titleOf(*item)));
    setItemData(index, factsOf(*item), FactsRole);
    setItemData(index, QDir::toNativeSeparators(file), Qt::ToolTipRole);
    const QList<QImage> frames = history_->thumbnails().frames(file, item->made);
    if (!frames.isEmpty()) setItemData(index, frames[frames.size() / 2], Qt::DecorationRole);
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
    dialog->setNameFilter(tr("Videos and numeric logs (%1)").arg(videoFilter() + QLatin1String(" *.jsonl")));
    connect(dialog, &QFileDialog::fileSelected, this, &RunPicker::setFile);
    dialog->open();
}

}  // namespace kinescope::ui
