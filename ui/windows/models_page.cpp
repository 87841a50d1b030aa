#include "ui/windows/models_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <utility>

#include "ui/models/access_token.h"
#include "ui/models/in_pool.h"
#include "ui/panels/download_list.h"
#include "ui/panels/folder_list.h"
#include "ui/panels/model_details.h"
#include "ui/panels/row_delegate.h"
#include "ui/text/error_catalog.h"
#include "ui/text/model_words.h"
#include "ui/widgets/card.h"
#include "ui/widgets/context_menu.h"
#include "ui/widgets/fitted_width.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kGap = 8;
constexpr int kFoldersWidth = 272;
constexpr int kMeasuredRows = 50;  // these rows determine the widths of the columns

QList<DownloadOffer> shippedOffers() {
    QFile manifest(QStringLiteral(":/downloads.json"));
    return manifest.open(QIODevice::ReadOnly) ? readManifest(manifest.readAll()) : QList<DownloadOffer>();
}

DownloaderOptions optionsWithToken() {
    DownloaderOptions options;
    options.tokenFor = [file = tokenFile()](const QUrl& url) { return tokenFor(url, file); };
    return options;
}

/// Gives all rows one height. Each answer about a model changes a row, and measuring all rows each time would block the
/// window for seconds.
void fixRowHeight(QTableView* view, const Theme& theme) {
    QHeaderView* rows = view->verticalHeader();
    rows->setSectionResizeMode(QHeaderView::Fixed);
    const auto fit = [rows, &theme] {
        rows->setDefaultSectionSize(RowDelegate::rowHeight(QFontMetrics(theme.font(Type::body))));
    };
    QObject::connect(&theme, &Theme::themeChanged, rows, fit);
    fit();
}

Severity severityAt(const QModelIndex& index) {
    if (index.column() != ModelTable::stateColumn) return Severity::none;
    return severityOf(static_cast<ModelState>(index.data(ModelTable::stateRole).toInt()));
}

}  // namespace

ModelsPage::ModelsPage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent)
    : QWidget(parent),
      desktop_(std::move(desktop)),
      table_(inspector),
      filter_(table_),
      checker_(inspector),
      downloads_(shippedOffers(), defaultDownloadFolder(), optionsWithToken()),
      folderList_(new FolderList(theme, folders_, table_, this)),
      tableCard_(new Card(theme, this)),
      view_(new QTableView(this)),
      search_(new QLineEdit(this)),
      get_(new QPushButton(this)),
      message_(new MessageLine(theme, this)),
      details_(new ModelDetails(theme, this)),
      downloadList_(new DownloadList(theme, downloads_, this)),
      lower_(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("modelsPage"));
    setFittedWidth(*folderList_, kFoldersWidth);
    lower_->addWidget(details_);
    lower_->addWidget(downloadList_);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setObjectName(QStringLiteral("modelsSplitter"));
    split->setHandleWidth(kGap);
    split->setChildrenCollapsible(false);
    split->addWidget(makeTable(theme));
    split->addWidget(lower_);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    row->addWidget(folderList_);
    row->addWidget(split, 1);
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

void ModelsPage::retranslate() {
    tableCard_->setTitle(tr("All models"));
    search_->setAccessibleName(tr("Search models"));
    search_->setPlaceholderText(tr("Search"));
    get_->setText(tr("Get models…"));
    view_->setAccessibleName(tr("Models"));
    table_.retranslate();
    if (message_->severity() != Severity::error) updateScanMessage();
    showSelected();
}

QWidget* ModelsPage::makeTable(const Theme& theme) {
    tableCard_->setObjectName(QStringLiteral("modelTablePanel"));
    search_->setObjectName(QStringLiteral("modelSearchEdit"));
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(220);
    search_->addAction(theme.icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    get_->setObjectName(QStringLiteral("getModelsButton"));
    tableCard_->header()->addWidget(new HelpButton(theme, QStringLiteral("models#folders"), tableCard_));
    tableCard_->header()->addWidget(search_);
    tableCard_->header()->addWidget(get_);
    message_->setObjectName(QStringLiteral("modelScanMessage"));
    tableCard_->body()->addWidget(message_);

    view_->setObjectName(QStringLiteral("modelView"));
    view_->setModel(&filter_);
    view_->setItemDelegate(new RowDelegate(theme, severityAt, view_));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setShowGrid(false);
    view_->setMouseTracking(true);
    view_->setTabKeyNavigation(false);
    view_->setSortingEnabled(true);
    view_->sortByColumn(-1, Qt::AscendingOrder);  // no sorting: the engine's order, with the built-in model first
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->verticalHeader()->hide();
    fixRowHeight(view_, theme);
    QHeaderView* heads = view_->horizontalHeader();
    heads->setResizeContentsPrecision(kMeasuredRows);
    heads->setSectionResizeMode(QHeaderView::ResizeToContents);
    heads->setSectionResizeMode(ModelTable::nameColumn, QHeaderView::Stretch);
    heads->setHighlightSections(false);
    tableCard_->body()->addWidget(view_, 1);
    return tableCard_;
}

void ModelsPage::wire() {
    connect(search_, &QLineEdit::textChanged, &filter_, &ModelFilter::setSearchText);
    connect(get_, &QPushButton::clicked, this, &ModelsPage::showDownloads);
    connect(folderList_, &FolderList::folderChosen, &filter_, &ModelFilter::setFolder);
    connect(folderList_, &FolderList::addRequested, this, &ModelsPage::chooseFolder);
    connect(folderList_, &FolderList::scanRequested, this, &ModelsPage::scan);
    connect(folderList_, &FolderList::foldersChanged, this, &ModelsPage::scan);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ModelsPage::showSelected);
    connect(view_, &QTableView::clicked, this, [this] { lower_->setCurrentWidget(details_); });
    connect(view_, &QTableView::activated, this, &ModelsPage::useSelected);
    connect(view_, &QWidget::customContextMenuRequested, this, &ModelsPage::contextMenu);
    connect(&table_, &QAbstractItemModel::dataChanged, this, &ModelsPage::showSelected);
    connect(&table_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { selectedBefore_ = selectedModel(); });
    connect(&table_, &QAbstractItemModel::modelReset, this, &ModelsPage::restoreSelection);
    connect(&table_, &ModelTable::scanningChanged, this, &ModelsPage::onScanningChanged);
    connect(&table_, &ModelTable::listFailed, this, [this](const Error& error) {
        message_->setMessageInEveryLanguage(Severity::error, [error] { return errorText(error).sentence; });
    });
    connect(details_, &ModelDetails::useRequested, this, &ModelsPage::useSelected);
    connect(details_, &ModelDetails::showInFolderRequested, this, &ModelsPage::showInFolder);
    connect(details_, &ModelDetails::downloadsRequested, this, &ModelsPage::showDownloads);
    connect(details_, &ModelDetails::checkRequested, this, &ModelsPage::checkSelected);
    connect(details_, &ModelDetails::stopCheckRequested, &checker_, &FileChecker::stop);
    connect(&checker_, &FileChecker::changed, this, &ModelsPage::updateCheck);
    connect(&checker_, &FileChecker::finished, &table_, &ModelTable::refresh);
    connect(downloadList_, &DownloadList::startRequested, this, &ModelsPage::startDownload);
    connect(downloadList_, &DownloadList::closeRequested, this, [this] { lower_->setCurrentWidget(details_); });
    connect(&downloads_, &DownloadQueue::finished, this, &ModelsPage::scan);
}

void ModelsPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!seen_) scan();
}

void ModelsPage::scan() {
    seen_ = true;
    message_->clear();
    table_.scan();
}

void ModelsPage::updateScanMessage() {
    if (!table_.isScanning()) return message_->clear();
    message_->setMessage(Severity::info, tr("Scanning folders…"));
}

void ModelsPage::onScanningChanged() {
    if (message_->severity() != Severity::error) updateScanMessage();
    if (table_.isScanning() || !seen_) return;
    downloads_.refresh();
    Q_EMIT modelsChanged();
}

QString ModelsPage::selectedModel() const {
    return view_->currentIndex().data(Qt::UserRole).toString();
}

/// Selects the previously selected model after a scan, or the first one.
void ModelsPage::restoreSelection() {
    int row = 0;
    for (int i = 0; i < filter_.rowCount(); ++i)
        if (filter_.index(i, 0).data(Qt::UserRole).toString() == selectedBefore_) row = i;
    if (filter_.rowCount() > 0) view_->selectRow(row);
    showSelected();
}

void ModelsPage::showSelected() {
    const int row = table_.rowOf(selectedModel());
    details_->show(row < 0 ? nullptr : &table_.entry(row));
    updateCheck();
}

void ModelsPage::useSelected() {
    const int row = table_.rowOf(selectedModel());
    if (row >= 0 && modelState(table_.entry(row)) == ModelState::ready) Q_EMIT useRequested(selectedModel());
}

void ModelsPage::checkSelected() {
    const int row = table_.rowOf(selectedModel());
    if (row >= 0) checker_.start(table_.entry(row));
}

/// Updates the state of the file check. A check continues while another model is selected; its error is shown with the
/// model that it belongs to.
void ModelsPage::updateCheck() {
    const CheckFacts& facts = checker_.facts();
    details_->showCheck(checker_.isRunning() || facts.model == selectedModel() ? facts : CheckFacts{});
}

void ModelsPage::showInFolder() {
    const QString path = view_->currentIndex().data(ModelTable::pathRole).toString();
    if (!path.isEmpty()) desktop_.showInFolder(path);
}

void ModelsPage::chooseFolder() {
    const QString folder = desktop_.askFolder(tr("Add Model Folder"), QDir::homePath());
    if (!folder.isEmpty()) addFolder(folder);
}

void ModelsPage::addFolder(const QString& folder) {
    folderList_->add(folder);
}

void ModelsPage::rememberOpened(const QString& model) {
    if (table_.rowOf(model) < 0) folderList_->addOpened(model);
}

void ModelsPage::showDownloads() {
    downloads_.refresh();
    lower_->setCurrentWidget(downloadList_);
}

void ModelsPage::startDownload(int row) {
    downloads_.start(row);
    const QString folder = downloads_.folder();
    if (folders_.folders().contains(folder)) return;
    inPool(
        this, [folder] { return QDir().mkpath(folder); }, [this, folder](bool) { addFolder(folder); });
}

void ModelsPage::contextMenu(const QPoint& where) {
    if (selectedModel().isEmpty()) return;
    QMenu* menu = makeContextMenu("modelMenu", this);
    addMenuAction(menu, "modelUseAction", tr("Use this model"), [this] { useSelected(); });
    addMenuAction(menu, "modelCheckAction", tr("Check files"), [this] { checkSelected(); });
    addMenuAction(menu, "modelCopyAction", tr("Copy details"), [this] {
        const int row = table_.rowOf(selectedModel());
        if (row >= 0) QApplication::clipboard()->setText(modelReport(table_.entry(row)));
    });
    addMenuAction(menu, "modelFolderAction", tr("Show in folder"), [this] { showInFolder(); });
    addMenuAction(menu, "modelScanAction", tr("Scan again"), [this] { scan(); });
    menu->popup(view_->viewport()->mapToGlobal(where));
}

}  // namespace kinescope::ui
