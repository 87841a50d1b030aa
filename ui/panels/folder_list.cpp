#include "ui/panels/folder_list.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>

#include "ui/models/in_pool.h"
#include "ui/models/model_folder_list.h"
#include "ui/models/model_table.h"
#include "ui/text/words.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kCountRole = Qt::UserRole + 1;
constexpr int kNoteRole = Qt::UserRole + 2;
const QLatin1String kBuiltIn(kBuiltinModel);

/// Paints a folder: icon, name, number of models, and a warning below the name.
class FolderDelegate : public QStyledItemDelegate {
public:
    FolderDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool noted = !index.data(kNoteRole).toString().isEmpty();
        return {120, option.fontMetrics.height() * (noted ? 2 : 1) + 20};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        paintBackground(*painter, option);
        const bool chosen = option.state & QStyle::State_Selected;
        const QRectF icon(option.rect.left() + 10, option.rect.top() + 9, 18, 18);
        paintIcon(*painter, iconOf(index), theme_.color(chosen ? ColorRole::accent : ColorRole::text2), icon);
        paintTexts(*painter, option.rect.adjusted(38, 9, -10, -8), index);
        painter->restore();
    }

private:
    static QString iconOf(const QModelIndex& index) {
        const QString folder = index.data(Qt::UserRole).toString();
        if (folder.isEmpty()) return QStringLiteral("models");
        return folder == kBuiltIn ? QStringLiteral("film") : QStringLiteral("folder");
    }

    void paintBackground(QPainter& painter, const QStyleOptionViewItem& option) const {
        const bool chosen = option.state & QStyle::State_Selected;
        const bool focused = option.state & QStyle::State_HasFocus;
        const bool hovered = option.state & QStyle::State_MouseOver;
        painter.setPen(focused ? QPen(theme_.color(ColorRole::accent), 2) : QPen(Qt::NoPen));
        painter.setBrush(chosen || hovered ? theme_.color(ColorRole::raised) : QColor(Qt::transparent));
        painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 8, 8);
    }

    void paintTexts(QPainter& painter, QRect room, const QModelIndex& index) const {
        painter.setFont(theme_.font(Type::caption));
        painter.setPen(theme_.color(ColorRole::text3));
        const QString count = index.data(kCountRole).toString();
        painter.drawText(room, Qt::AlignRight | Qt::AlignTop, count);
        const QString note = index.data(kNoteRole).toString();
        if (!note.isEmpty()) {
            painter.setPen(theme_.color(ColorRole::warn));
            painter.drawText(room, Qt::AlignLeft | Qt::AlignBottom, note);
        }
        painter.setFont(theme_.font(Type::body));
        painter.setPen(theme_.color(note.isEmpty() ? ColorRole::text : ColorRole::text2));
        room.adjust(0, 0, -24, 0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop,
                         painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, room.width()));
    }

    const Theme& theme_;
};

QString nameOf(const QString& folder) {
    if (folder.contains(QLatin1String("huggingface")) && folder.endsWith(QLatin1String("hub")))
        return FolderList::tr("Hugging Face cache");
    return folderText(folder);
}

QHash<QString, FolderList::Place> placesAt(const QStringList& folders) {
    QHash<QString, FolderList::Place> places;
    for (const QString& folder : folders) {
        const QFileInfo place(folder);
        places[folder] = !place.exists()  ? FolderList::Place::none
                         : place.isFile() ? FolderList::Place::list
                                          : FolderList::Place::folder;
    }
    return places;
}

}  // namespace

FolderList::FolderList(const Theme& theme, ModelFolderList& folders, ModelTable& table, QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      folders_(folders),
      table_(table),
      list_(new QListWidget(this)),
      scan_(makeIconButton("scanButton", theme.icon(QStringLiteral("refresh")), this)),
      remove_(makeIconButton("removeFolderButton", theme.icon(QStringLiteral("trash")), this)),
      add_(new QPushButton(this)),
      suggestion_(new MessageLine(theme, this)),
      refusal_(new MessageLine(theme, this)),
      note_(new QLabel(this)) {
    setObjectName(QStringLiteral("folderPanel"));
    buildHeader();
    list_->setObjectName(QStringLiteral("folderView"));
    list_->setItemDelegate(new FolderDelegate(theme, list_));
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    body()->addWidget(list_, 1);
    buildFoot();
    connect(list_, &QListWidget::currentItemChanged, this, [this] {
        remove_->setEnabled(folders_.folders().contains(currentFolder()));
        Q_EMIT folderChosen(currentFolder());
    });
    connect(&table_, &QAbstractItemModel::modelReset, this, &FolderList::readAgain);
    connect(&folders_, &ModelFolderList::changed, this, &FolderList::updateFolders);
    connect(&table_, &ModelTable::scanningChanged, this, [this] { scan_->setEnabled(!table_.isScanning()); });
    inEveryLanguage(this, [this] { retranslate(); });
    folders_.read();
}

void FolderList::retranslate() {
    setTitle(tr("Folders"));
    list_->setAccessibleName(tr("Folders"));
    setIconButtonText(remove_, tr("Remove folder from the list (files are not deleted)"));
    setIconButtonText(scan_, tr("Scan again (F5)"));
    add_->setText(tr("Add folder…"));
    note_->setText(
        tr("Kinescope reads ComfyUI, diffusers and Hugging Face folders, single files and shards, and the folders in "
           "ComfyUI's extra_model_paths.yaml. Files stay where they are."));
    updateFolders();
}

void FolderList::buildHeader() {
    header()->addWidget(remove_);
    header()->addWidget(scan_);
    connect(remove_, &QToolButton::clicked, this, &FolderList::removeCurrent);
    connect(scan_, &QToolButton::clicked, this, &FolderList::scanRequested);
}

void FolderList::buildFoot() {
    add_->setObjectName(QStringLiteral("addFolderButton"));
    add_->setIcon(theme_.icon(QStringLiteral("plus"), ColorRole::text));
    connect(add_, &QPushButton::clicked, this, &FolderList::addRequested);
    suggestion_->setObjectName(QStringLiteral("folderSuggestion"));
    connect(suggestion_, &MessageLine::fixActivated, this, [this] { add(suggested_); });
    refusal_->setObjectName(QStringLiteral("folderMessage"));
    note_->setProperty("type", "caption");
    note_->setWordWrap(true);
    for (QWidget* part : {static_cast<QWidget*>(suggestion_), static_cast<QWidget*>(refusal_),
                          static_cast<QWidget*>(add_), static_cast<QWidget*>(note_)})
        body()->addWidget(part);
}

QString FolderList::currentFolder() const {
    const QListWidgetItem* item = list_->currentItem();
    return item ? item->data(Qt::UserRole).toString() : QString();
}

void FolderList::addItem(const QString& folder, const QString& name) {
    int count = 0;
    for (int row = 0; row < table_.rowCount(); ++row)
        count += isInFolder(QString::fromStdString(table_.entry(row).card.id), folder) ? 1 : 0;
    auto* item = new QListWidgetItem(name, list_);
    const Place place = places_.value(folder, Place::folder);
    const bool away = place == Place::none;
    const bool uncounted = place != Place::folder;
    item->setData(Qt::UserRole, folder);
    item->setData(kCountRole, uncounted ? QStringLiteral("–") : countText(count));
    item->setData(kNoteRole, away ? tr("Not available") : QString());
    item->setData(Qt::AccessibleTextRole, away        ? tr("%1, not available").arg(name)
                                          : uncounted ? name
                                                      : tr("%1: %Ln models", nullptr, count).arg(name));
    item->setToolTip(folder == kBuiltIn ? QString() : folder);
}

void FolderList::updateFolders() {
    showFolders();
    lookAtPlaces();
}

/// Another program may have changed the list.
void FolderList::readAgain() {
    updateFolders();
    folders_.read();
}

/// A folder may be on a drive that answers late. The answer of an older look would replace that of a newer one.
void FolderList::lookAtPlaces() {
    newestLook_.begin();
    const auto isNewest = newestLook_.current();
    inPool(
        this,
        [isNewest, folders = folders_.folders()] { return isNewest() ? placesAt(folders) : QHash<QString, Place>(); },
        [this, isNewest](const QHash<QString, Place>& places) {
            if (!isNewest() || places == places_) return;
            places_ = places;
            showFolders();
        });
}

void FolderList::showFolders() {
    const QSignalBlocker quiet(list_);
    const QString chosen = currentFolder();
    list_->clear();
    addItem({}, tr("All models"));
    addItem(kBuiltIn, tr("Built in"));
    for (const QString& folder : folders_.folders()) addItem(folder, nameOf(folder));
    int row = 0;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(Qt::UserRole).toString() == chosen) row = i;
    list_->setCurrentRow(row);
    remove_->setEnabled(folders_.folders().contains(currentFolder()));
    updateSuggestion();
    if (currentFolder() != chosen) Q_EMIT folderChosen(currentFolder());
}

void FolderList::updateSuggestion() {
    suggested_ = folders_.suggestions().value(0);
    if (suggested_.isEmpty()) return suggestion_->clear();
    suggestion_->setMessage(Severity::info, tr("Model folder found: %1.").arg(nameOf(suggested_)), tr("Add folder"));
}

void FolderList::applyChange(const QString& refusal) {
    if (!refusal.isEmpty()) return refusal_->setMessage(Severity::error, refusal);
    refusal_->clear();
    Q_EMIT foldersChanged();
}

void FolderList::add(const QString& folder) {
    folders_.add(folder, [list = QPointer(this)](const QString& refusal) {
        if (list) list->applyChange(refusal);
    });
}

void FolderList::addOpened(const QString& model) {
    folders_.addOpened(model, [list = QPointer(this)](const QString& refusal) {
        if (list) list->applyChange(refusal);
    });
}

void FolderList::removeCurrent() {
    folders_.remove(currentFolder(), [list = QPointer(this)](const QString& refusal) {
        if (list) list->applyChange(refusal);
    });
}

}  // namespace kinescope::ui
