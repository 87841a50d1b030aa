#include "ui/panels/preview_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "ui/models/images.h"
#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/models/vary_seed.h"
#include "ui/panels/empty_preview.h"
#include "ui/panels/error_card.h"
#include "ui/text/words.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/context_menu.h"
#include "ui/widgets/film_strip.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/transport_bar.h"

namespace kinescope::ui {
namespace {

/// Limits the memory of a finished video that is read back. The number differs from those of other readers, because it
/// marks the answer.
constexpr FrameSelection kResultFrames{321, 960};
constexpr int kStripFrom = 560;  ///< px with text of 100 %; height of a panel with a film strip

/// Returns the frame rate of the video that a request makes.
double framesPerSecond(const VideoRequest& request) {
    const double denoised = request.fps.value_or(8);
    const FinishSteps& finish = request.finish;
    if (finish.interpolator.empty()) return denoised;
    return finish.interpolation_fps ? *finish.interpolation_fps : denoised * finish.interpolation_factor.value_or(2);
}

bool takesImage(const ModelCard& card) {
    return std::any_of(card.tasks.begin(), card.tasks.end(), [](Task task) { return task != Task::text_to_video; });
}

}  // namespace

PreviewPanel::PreviewPanel(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      request_(request),
      run_(run),
      chip_(new Chip(theme, this)),
      zoom_(new Segmented(theme, this)),
      pages_(new QStackedWidget(this)),
      player_(new FramePlayer(theme)),
      transport_(new TransportBar(theme, *player_)),
      strip_(new FilmStrip(theme, this)),
      empty_(new EmptyPreview(theme, request)),
      playerPage_(makePlayerPage()),
      error_(new ErrorCard(theme)) {
    setObjectName(QStringLiteral("previewPanel"));
    chip_->setObjectName(QStringLiteral("previewChip"));
    zoom_->setObjectName(QStringLiteral("zoomButtons"));
    zoom_->setItems({QString(), QString(), QString()});
    header()->insertWidget(1, chip_);
    header()->addWidget(zoom_);
    for (QWidget* page : {static_cast<QWidget*>(empty_), playerPage_, static_cast<QWidget*>(error_)})
        pages_->addWidget(page);
    body()->addWidget(pages_, 1);
    showPage(empty_);

    connect(zoom_, &Segmented::currentChanged, this,
            [this](int index) { player_->setZoom(static_cast<FramePlayer::Zoom>(index)); });
    connect(player_, &FramePlayer::zoomChanged, this,
            [this] { zoom_->setCurrentIndex(static_cast<int>(player_->zoom())); });
    connect(player_, &FramePlayer::saveFrameRequested, this, &PreviewPanel::saveFrameRequested);
    connect(player_, &FramePlayer::theatreRequested, this, &PreviewPanel::theatreRequested);
    connect(player_, &FramePlayer::theatreLeft, this, &PreviewPanel::theatreLeft);
    connect(player_, &FramePlayer::stillLeft, this, [this] {
        strip_->setSelected(0);
        Q_EMIT stepChosen(0);
    });
    connect(strip_, &FilmStrip::stepChosen, this, [this](int step) {
        showStep(step);
        Q_EMIT stepChosen(step);
    });
    connect(empty_, &EmptyPreview::guardDemoRequested, this, &PreviewPanel::guardDemoRequested);
    player_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(player_, &QWidget::customContextMenuRequested, this, &PreviewPanel::showMenu);
    connect(error_, &ErrorCard::fixChosen, this, &PreviewPanel::fixChosen);
    connect(&run_, &RunModel::stateChanged, this, &PreviewPanel::follow);
    connect(&run_, &RunModel::previewArrived, this, &PreviewPanel::onPreviewReady);
    connect(&theme_, &Theme::themeChanged, this, &PreviewPanel::fitStrip);
    inEveryLanguage(this, [this] { retranslate(); });
}

void PreviewPanel::retranslate() {
    zoom_->setTexts({tr("Fit"), tr("100 %"), tr("Pixels")});
    setTitle(pages_->currentWidget() == playerPage_ ? tr("Preview") : QString());
    player_->setEmptyState(QStringLiteral("film"), tr("Preparing"),
                           tr("The first preview appears after the first step."));
    strip_->setAccessibleName(tr("Preview of each step"));
    strip_->setToolTip(tr("The preview of each step. Select one to see it. Esc returns to the video."));
    if (updateChip_) updateChip_();
    if (strip_->selected() > 0) showStep(strip_->selected());
}

QWidget* PreviewPanel::makePlayerPage() {
    auto* page = new QWidget(this);
    player_->setObjectName(QStringLiteral("framePlayer"));
    transport_->compareButton()->hide();  // the Compare page compares videos
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(player_, 1);
    column->addWidget(transport_);
    strip_->setObjectName(QStringLiteral("filmStrip"));
    strip_->hide();
    column->addWidget(strip_);
    return page;
}

/// Calls `update` now and after language changes, to set the text of the chip. A null function clears the chip.
void PreviewPanel::showChip(const std::function<void()>& update) {
    updateChip_ = update;
    if (update) return update();
    chip_->setChip({});
}

QString PreviewPanel::kind() const {
    return pages_->currentWidget() == playerPage_ ? player_->kindName() : QStringLiteral("none");
}

void PreviewPanel::showPage(QWidget* page) {
    pages_->setCurrentWidget(page);
    const bool playing = page == playerPage_;
    setTitle(playing ? tr("Preview") : QString());
    zoom_->setVisible(playing);
    if (!playing) showChip({});
}

void PreviewPanel::showMenu(const QPoint& where) {
    if (player_->numFrames() == 0) return;
    QMenu* menu = makeContextMenu("previewMenu", this);
    addMenuAction(menu, "previewPlayAction", player_->isPlaying() ? tr("&Pause") : tr("&Play"),
                  [this] { player_->togglePlaying(); });
    addMenuAction(menu, "previewSaveFrameAction", tr("Save &frame…"), [this] { Q_EMIT saveFrameRequested(); });
    addMenuAction(menu, "previewCopyFrameAction", tr("C&opy frame"),
                  [this] { QApplication::clipboard()->setImage(player_->currentImage()); });
    if (request_.hasCard() && takesImage(request_.card()))
        addMenuAction(menu, "previewContinueAction", tr("Use frame as start &image"),
                      [this] { Q_EMIT startImageChosen(player_->currentImage()); });
    if (run_.state() == RunState::done) addVideoActions(menu);
    menu->popup(player_->mapToGlobal(where));
}

void PreviewPanel::addVideoActions(QMenu* menu) {
    const QString file = pathText(run_.facts().result.output);
    menu->addSeparator();
    const VideoRequest& made = run_.facts().request;
    if (request_.hasCard() && request_.card().offers_variations && made.seed && made.model == request_.request().model)
        addMenuAction(menu, "previewVariationAction", tr("&More like this"),
                      [this, seed = *made.seed] { varySeed(request_, seed); });
    addMenuAction(menu, "previewExportAction", tr("&Export…"), [this] { Q_EMIT exportRequested(); });
    addMenuAction(menu, "previewCompareAction", tr("&Compare with…"), [this] { Q_EMIT compareRequested(); });
    addMenuAction(menu, "previewCopyAction", tr("Copy &video"), [file] { copyFileToClipboard(file); });
    addMenuAction(menu, "previewFolderAction", tr("&Show in folder"), [this] { Q_EMIT showInFolderRequested(); });
}

void PreviewPanel::setDevices(const std::vector<DeviceInfo>& devices) {
    empty_->setDevices(devices);
}

void PreviewPanel::closeError() {
    showPage(player_->numFrames() > 0 ? playerPage_ : empty_);
}

void PreviewPanel::follow(RunState state) {
    if (state == RunState::planning && run_.facts().resumed) {
        showPage(playerPage_);
    } else if (state == RunState::planning) {
        clearSteps();
        player_->clear();
        player_->setBadge({});
        showPage(playerPage_);
        showChip({});
    } else if (state == RunState::failed && run_.facts().error) {
        const bool focused = player_->hasFocus();
        error_->setError(*run_.facts().error);
        showPage(error_);
        if (focused) error_->focusFix();
    } else if (state == RunState::done) {
        showChip({});
        player_->setBadge({});
        player_->setDragUrl(QUrl::fromLocalFile(pathText(run_.facts().result.output)));
        showStep(0);
        player_->play();
        const VideoRequest& made = run_.facts().request;
        // Without a connection to the computer of the run, its last frames did not arrive.
        const bool lacksFrames = player_->numFinal() < std::max(1, run_.facts().result.num_frames);
        if (lacksFrames || made.continue_video || num_parts(made) > 1 || made.finish.changes_frames())
            Q_EMIT resultFramesNeeded(run_.facts().result.output, kResultFrames);
    } else if (state == RunState::stopped) {
        player_->setBadge({});
        if (player_->numFrames() == 0) showPage(empty_);
    }
}

void PreviewPanel::keepPreview(int step, const QImage& picture) {
    steps_.add(step, picture);
    QList<FilmStrip::Tile> tiles;
    for (const StepPreview& each : steps_.all()) tiles << FilmStrip::Tile{each.step, each.picture};
    strip_->setTiles(tiles);
    fitStrip();
}

void PreviewPanel::clearSteps() {
    showStep(0);
    steps_.clear();
    strip_->setTiles({});
    fitStrip();
}

/// Shows the film strip if it leaves enough height for the video.
void PreviewPanel::fitStrip() {
    const bool fits = height() >= theme_.scaledToText(kStripFrom) && !theatre_;
    strip_->setVisible(fits && steps_.all().size() > 1);
}

void PreviewPanel::setTheatre(bool on) {
    theatre_ = on;
    fitStrip();
}

void PreviewPanel::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    fitStrip();
}

void PreviewPanel::showStep(int step) {
    const bool visible = pages_->currentWidget() == playerPage_;
    const StepPreview* kept = visible && step > 0 ? steps_.at(step) : nullptr;
    strip_->setSelected(kept ? kept->step : 0);
    if (!kept) return player_->clearStill();
    player_->pause();
    player_->showStill(kept->picture, tr("Step %1 of %2").arg(kept->step).arg(run_.facts().progress.numSteps));
}

void PreviewPanel::showResult(const std::filesystem::path& video, const FrameSelection& selection,
                              const std::vector<FramePtr>& frames) {
    const RunFacts& facts = run_.facts();
    const bool mine = selection.max_frames == kResultFrames.max_frames && facts.state == RunState::done &&
                      video == facts.result.output;
    if (!mine || frames.empty()) return;
    // Of a long video, fewer frames are shown at a lower rate.
    const double shown = static_cast<double>(frames.size()) / std::max(facts.result.num_frames, 1);
    showStep(0);
    player_->setFrames(imagesOf(frames), framesPerSecond(facts.request) * std::min(shown, 1.0));
    player_->play();
}

/// The preview by a tiny decoder and its share of the time of the steps, with placeholders for the sizes.
QString PreviewPanel::decodedText(const QString& decoder) const {
    const RunProgress& progress = run_.facts().progress;
    const double steps = std::accumulate(progress.stepSeconds.begin(), progress.stepSeconds.end(), 0.0);
    const double percent = steps > 0 ? 100 * progress.previewSeconds / steps : 0;
    return tr("Preview %1 × %2 by %5 (%6 % of the step time), final %3 × %4")
        .replace(QLatin1String("%5"), decoder)
        .replace(QLatin1String("%6"), QLocale().toString(percent, 'f', 1));
}

void PreviewPanel::onPreviewReady(const PreviewReady& preview) {
    if (pages_->currentWidget() != playerPage_ || preview.frames.empty()) return;
    const VideoRequest& request = run_.facts().request;
    const Size size = preview.final_size;
    player_->setFinalSize({size.width, size.height});
    player_->setFps(request.fps.value_or(8));
    if (preview.kind == PreviewKind::latent) {
        const bool first = player_->numFrames() == 0;
        const QList<QImage> pictures = imagesOf(preview.frames);
        player_->setPreview(pictures, preview.num_frames, preview.frames_each);
        keepPreview(preview.step + 1, pictures[pictures.size() / 2]);
        if (first) player_->play();
        const Frame& picture = *preview.frames.front();
        const Size small{picture.width, picture.height};
        showChip([this, small, size, step = preview.step + 1, decoder = preview.decoder] {
            const QString text = decoder.empty() ? tr("Latent preview %1 × %2, final %3 × %4")
                                                 : decodedText(QString::fromStdString(decoder));
            chip_->setChip(text.arg(small.width).arg(small.height).arg(size.width).arg(size.height), ColorRole::warn,
                           QStringLiteral("info"));
            player_->setBadge(tr("Step %1 of %2").arg(step).arg(run_.facts().progress.numSteps));
        });
    } else {
        player_->appendFrames(preview.first_frame, imagesOf(preview.frames), preview.num_frames);
        player_->setBadge({});
        showChip([this, total = preview.num_frames] {
            chip_->setChip(tr("Decoded frames: %1 of %2").arg(countText(player_->numFinal()), countText(total)),
                           ColorRole::accent, QStringLiteral("film"));
        });
    }
}

}  // namespace kinescope::ui
