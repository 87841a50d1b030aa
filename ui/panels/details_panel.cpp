#include "ui/panels/details_panel.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/images.h"
#include "ui/models/lora_files.h"
#include "ui/models/model_names.h"
#include "ui/models/played_rate.h"
#include "ui/models/queue_model.h"
#include "ui/models/video_check.h"
#include "ui/text/error_catalog.h"
#include "ui/text/words.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/text_view.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr FrameSelection kPlayed{97, 640};
constexpr FrameSelection kChecked{.max_frames = 0, .max_width_px = 32};
constexpr int kPlayerHeight = 200;
constexpr int kButtonMargins = 48;  ///< px for margins and the scroll bar, to the left and right of the buttons
constexpr double kPlainFps = 8;
constexpr qsizetype kMostOfTitle = 80;  ///< characters

QString healthText(RunStatus status) {
    switch (status) {
        case RunStatus::completed:
            return DetailsPanel::tr("All values stayed in range.");
        case RunStatus::healed:
            return DetailsPanel::tr("Healed during the run.");
        case RunStatus::stopped:
            return DetailsPanel::tr("Stopped early: decoded before the last step.");
        case RunStatus::cancelled:
            return DetailsPanel::tr("Stopped early. The finished part was saved.");
        case RunStatus::failed:
            return DetailsPanel::tr("The run failed.");
    }
    return {};
}

/// Returns the prompts of all parts, each in a paragraph.
QString promptsOf(const VideoRequest& request) {
    QString text = QString::fromStdString(request.prompt);
    for (const std::string& prompt : request.next_prompts)
        text += QStringLiteral("\n\n") + QString::fromStdString(prompt);
    return text;
}

}  // namespace

DetailsPanel::DetailsPanel(const Theme& theme, EngineBridge& bridge, QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      bridge_(bridge),
      player_(new FramePlayer(theme, this)),
      title_(new QLabel(this)),
      when_(new QLabel(this)),
      use_(makeButton("useSettingsButton", "")),
      folder_(makeButton("historyFolderButton", "")),
      vary_(makeButton("varyButton", "branch")),
      compare_(makeButton("historyCompareButton", "compare")),
      export_(makeButton("historyExportButton", "down")),
      continue_(makeButton("historyContinueButton", "next")),
      finish_(makeButton("historyFinishButton", "expand")),
      check_(makeButton("checkFileButton", "okc")),
      checked_(new MessageLine(theme, this)),
      health_(new QLabel(this)),
      buttons_(new QGridLayout),
      facts_(new QGridLayout),
      prompt_(new TextView(this)),
      scroll_(new QScrollArea(this)),
      content_(new QWidget) {
    setObjectName(QStringLiteral("detailsPanel"));
    player_->setObjectName(QStringLiteral("detailsPlayer"));
    player_->setFixedHeight(kPlayerHeight);
    title_->setObjectName(QStringLiteral("detailsTitleLabel"));
    title_->setProperty("type", "subtitle");
    title_->setWordWrap(true);
    title_->setTextFormat(Qt::PlainText);
    when_->setProperty("type", "caption");
    health_->setObjectName(QStringLiteral("detailsHealthLabel"));
    health_->setProperty("type", "strong");
    health_->setWordWrap(true);
    prompt_->setObjectName(QStringLiteral("detailsPromptText"));
    facts_->setHorizontalSpacing(16);
    facts_->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(content_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(title_);
    column->addWidget(when_);
    column->addLayout(buttons_);
    column->addWidget(checked_);
    column->addWidget(health_);
    column->addLayout(facts_);
    column->addWidget(prompt_);
    column->addStretch(1);
    scroll_->setObjectName(QStringLiteral("detailsScrollArea"));
    scroll_->setWidgetResizable(true);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(content_);
    QSizePolicy keepsPlace = scroll_->sizePolicy();  // so that the player above does not move
    keepsPlace.setRetainSizeWhenHidden(true);
    scroll_->setSizePolicy(keepsPlace);
    body()->addWidget(player_);
    body()->addWidget(scroll_, 1);
    wireButtons();
    inEveryLanguage(this, [this] { retranslate(); });
    setItem(nullptr);
}

void DetailsPanel::retranslate() {
    const auto set = [](QPushButton* button, const QString& text) {
        button->setText(text);
        button->setAccessibleName(text);
    };
    setAccessibleName(tr("Details"));
    player_->setAccessibleName(tr("Video"));
    prompt_->setAccessibleName(tr("Prompt"));
    showEmptyState();
    set(use_, tr("Use settings"));
    set(folder_, tr("Show in folder"));
    set(vary_, tr("Variations"));
    set(compare_, tr("Compare"));
    set(export_, tr("Export…"));
    set(continue_, tr("Continue…"));
    continue_->setToolTip(tr("Generates a video that begins where this one ends."));
    set(finish_, tr("Finish…"));
    finish_->setToolTip(tr("Larger frames, more frames per second, and sound."));
    set(check_, tr("Check file"));
    check_->setToolTip(tr("Reads every frame to check that the file is complete."));
    vary_->setToolTip(tr("Generates more videos with these settings and different seeds."));
    compare_->setToolTip(tr("Select two videos to compare them."));
    for (QAction* action : vary_->menu()->actions())
        action->setText(tr("%Ln variations", nullptr, action->data().toInt()));
    arrangeButtons();
}

QPushButton* DetailsPanel::makeButton(const char* name, const char* icon) {
    auto* button = new QPushButton(this);
    button->setObjectName(QLatin1String(name));
    if (*icon) button->setIcon(theme_.icon(QLatin1String(icon), ColorRole::text));
    return button;
}

void DetailsPanel::wireButtons() {
    use_->setProperty("role", "primary");
    auto* menu = new QMenu(vary_);
    for (const int count : {2, 4, 8})
        menu->addAction(QString(), this, [this, count] { Q_EMIT varyRequested(count); })->setData(count);
    vary_->setMenu(menu);
    connect(use_, &QPushButton::clicked, this, &DetailsPanel::useSettingsRequested);
    connect(folder_, &QPushButton::clicked, this, &DetailsPanel::showInFolderRequested);
    connect(export_, &QPushButton::clicked, this, &DetailsPanel::exportRequested);
    connect(continue_, &QPushButton::clicked, this, &DetailsPanel::continueRequested);
    connect(finish_, &QPushButton::clicked, this, &DetailsPanel::finishRequested);
    connect(compare_, &QPushButton::clicked, this, &DetailsPanel::compareRequested);
    connect(check_, &QPushButton::clicked, this, &DetailsPanel::checkFile);
    buttons_->setSpacing(8);
}

void DetailsPanel::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    arrangeButtons();
}

void DetailsPanel::arrangeButtons() {
    const auto wider = [](const QWidget* a, const QWidget* b) {
        return std::max(a->sizeHint().width(), b->sizeHint().width());
    };
    const int left = std::max(wider(use_, vary_), wider(continue_, export_));
    const int right = std::max(wider(folder_, compare_), wider(finish_, check_));
    const int columns = left + right + buttons_->spacing() + kButtonMargins > width() ? 1 : 2;
    int place = 0;
    for (QPushButton* button : {use_, folder_, vary_, compare_, continue_, finish_, export_, check_}) {
        buttons_->removeWidget(button);
        buttons_->addWidget(button, place / columns, place % columns);
        ++place;
    }
}

void DetailsPanel::setComparable(bool comparable) {
    compare_->setEnabled(comparable);
}

void DetailsPanel::setItem(const HistoryItem* item) {
    scroll_->setVisible(item != nullptr);
    const QString file = item ? item->file : QString();
    if (file != file_) {
        player_->clear();
        dropCheck();
    }
    const bool isOther = !item || file != file_ || item->bytes != bytes_ || item->made != made_;
    file_ = file;
    if (isOther) {
        newestItem_.begin();
        unreadable_.reset();
        if (playingId_ != 0) bridge_.cancelRead(std::exchange(playingId_, 0));
    }
    showEmptyState();
    if (!item) return;
    made_ = item->made;
    bytes_ = item->bytes;
    request_ = item->request;
    if (isOther) described_.reset();
    if (isOther && !item->missing) {
        readFrames();
        describeFile();
    }
    setPlayedRate();
    player_->setDragUrl(QUrl::fromLocalFile(file));
    setBreakableText(*title_, cutText(titleOf(*item), kMostOfTitle));
    when_->setText(item->missing ? tr("File moved or deleted") : QLocale().toString(item->made, QLocale::ShortFormat));
    health_->setText(item->status ? healthText(*item->status) : QString());
    health_->setVisible(!health_->text().isEmpty());
    use_->setEnabled(item->request.has_value());
    use_->setToolTip(item->request ? QString() : tr("This video contains no settings."));
    vary_->setEnabled(item->request.has_value());
    folder_->setEnabled(!item->missing);
    for (QPushButton* button : {continue_, export_, finish_}) button->setEnabled(!item->missing);
    check_->setEnabled(!item->missing && !isChecking_);
    prompt_->showText(item->request ? promptsOf(*item->request) : QString());
    showFacts();
}

void DetailsPanel::dropCheck() {
    newestCheck_.begin();
    if (isChecking_) bridge_.cancelRead(checkId_);
    isChecking_ = false;
    checked_->clear();
}

void DetailsPanel::checkFile() {
    dropCheck();
    isChecking_ = true;
    checkId_ = bridge_.newReadId();
    check_->setEnabled(false);
    checked_->setMessageInEveryLanguage(Severity::info, [] { return tr("Reading every frame…"); });
    const auto isNewest = newestCheck_.current();
    const auto report = [this, isNewest](Severity severity, const std::function<QString()>& text) {
        if (!isNewest()) return;
        isChecking_ = false;
        check_->setEnabled(true);
        checked_->setMessageInEveryLanguage(severity, text);
    };
    bridge_.request(
        Lane::clips, this,
        [isNewest, file = file_, request = request_, id = checkId_](Engine& engine) {
            if (!isNewest()) return VideoCheck();
            return checkVideo(engine.videos().read_frames(file.toStdU16String(), kChecked, id), request);
        },
        [report](const VideoCheck& check) {
            report(isWhole(check) ? Severity::ok : Severity::error, [check] { return videoCheckText(check); });
        },
        [report](const Error& error) { report(Severity::error, [error] { return errorText(error).sentence; }); });
}

void DetailsPanel::addFact(const QString& name, const QString& value) {
    if (value.isEmpty()) return;
    auto* label = new QLabel(name, content_);
    label->setProperty("type", "note");
    auto* valueLabel = new QLabel(content_);
    valueLabel->setTextFormat(Qt::PlainText);
    valueLabel->setText(value);
    valueLabel->setAlignment(Qt::AlignRight);
    valueLabel->setWordWrap(true);
    valueLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    valueLabel->setMinimumWidth(1);  // a long file name must not widen the panel
    const int row = facts_->count() / 2;
    facts_->addWidget(label, row, 0, Qt::AlignTop);
    facts_->addWidget(valueLabel, row, 1);
}

/// A list that is scrolled with the keyboard would read every video in it, so the requests check that the item is still
/// shown.
void DetailsPanel::readFrames() {
    const Error noFrames(ErrorCode::file_unreadable, "", {}, {{"path", file_.toStdString()}});
    playingId_ = bridge_.newReadId();
    bridge_.request(
        Lane::media, this,
        [isShown = newestItem_.current(), file = file_, id = playingId_](Engine& engine) {
            return isShown() ? engine.videos().read_frames(file.toStdU16String(), kPlayed, id)
                             : std::vector<FramePtr>();
        },
        [this, isShown = newestItem_.current(), noFrames](const std::vector<FramePtr>& frames) {
            if (!isShown()) return;
            if (frames.empty()) return noteUnreadable(noFrames);
            player_->setFrames(imagesOf(frames), player_->fps());
            setPlayedRate();
        },
        [this, isShown = newestItem_.current(), noFrames](const Error&) {
            if (isShown()) noteUnreadable(noFrames);
        });
}

void DetailsPanel::describeFile() {
    bridge_.request(
        Lane::media, this,
        [isShown = newestItem_.current(), file = file_](Engine& engine) {
            return isShown() ? engine.videos().describe_video(file.toStdU16String()) : VideoDescription();
        },
        [this, isShown = newestItem_.current()](const VideoDescription& description) {
            if (!isShown()) return;
            described_ = description;
            setPlayedRate();
            showFacts();
        },
        [this, isShown = newestItem_.current()](const Error& error) {  // the settings of an unreadable file are shown
            if (isShown()) noteUnreadable(error);
        });
}

/// The settings do not know the rate of a finished video.
void DetailsPanel::setPlayedRate() {
    double fps = request_ ? request_->fps.value_or(kPlainFps) : kPlainFps;
    if (described_ && described_->fps > 0)
        fps = player_->numFrames() > 0 ? playedRate(*described_, player_->numFrames()) : described_->fps;
    player_->setFps(fps);
}

/// The first error is kept.
void DetailsPanel::noteUnreadable(const Error& error) {
    if (!unreadable_) unreadable_ = error;
    showEmptyState();
}

void DetailsPanel::showEmptyState() {
    ErrorText text;
    if (file_.isEmpty()) text.title = tr("Select a video");
    if (unreadable_) text = errorText(*unreadable_);
    player_->setEmptyState(QStringLiteral("film"), text.title, text.sentence);
}

void DetailsPanel::showFacts() {
    while (QLayoutItem* item = facts_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    addShape(request_.value_or(VideoRequest()));
    if (request_) addSettings(*request_);
    addFact(tr("File"), tr("%1, %2", "name, size").arg(QFileInfo(file_).fileName(), bytesText(bytes_)));
}

void DetailsPanel::addShape(const VideoRequest& request) {
    VideoRequest shape = request;
    double fps = request.fps.value_or(0);
    if (described_) {
        shape.width = described_->width;
        shape.height = described_->height;
        shape.num_frames = described_->num_frames;
        fps = described_->fps;
    }
    addFact(tr("Size"), sizeText(shape));
    const bool isGenerated = request.finish.changes_frames() || request.continue_video || num_parts(request) > 1;
    const QString generated = sizeText(request);
    if (isGenerated)
        addFact(tr("Generated"),
                num_parts(request) > 1 ? tr("%1 in each part", "size and frames").arg(generated) : generated);
    const bool isKnown = described_ && fps > 0;
    addFact(tr("Length"), isKnown ? formatClipLength(described_->num_frames / fps) : QString());
    addFact(tr("Frame rate"), fps > 0 ? tr("%1 fps").arg(QLocale().toString(fps, 'g', 4)) : QString());
}

void DetailsPanel::addSettings(const VideoRequest& request) {
    const auto number = [](const auto& value) { return value ? QLocale().toString(*value) : QString(); };
    addFact(tr("Model"), ModelNames::of(bridge_).nameOf(request.model));
    addFact(tr("LoRAs"), lorasText(request.loras));
    addFact(tr("Upscaler"), QFileInfo(pathText(request.finish.upscaler)).fileName());
    addFact(tr("Interpolator"), QFileInfo(pathText(request.finish.interpolator)).fileName());
    if (request.continue_video) addFact(tr("Continues"), QFileInfo(pathText(*request.continue_video)).fileName());
    addFact(tr("Parts"), num_parts(request) > 1 ? QLocale().toString(num_parts(request)) : QString());
    addFact(tr("Steps"), number(request.num_inference_steps));
    addFact(tr("Guidance"), number(request.guidance_scale));
    addFact(tr("Scheduler"), schedulerName(request.scheduler.value_or("")));
    addFact(tr("Seed"), request.seed ? QString::number(*request.seed) : QString());
    addFact(tr("Avoid"), QString::fromStdString(request.negative_prompt.value_or("")));
}

}  // namespace kinescope::ui
