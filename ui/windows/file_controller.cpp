#include "ui/windows/file_controller.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonObject>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

#include "ui/models/images.h"
#include "ui/models/in_pool.h"
#include "ui/models/json_object.h"
#include "ui/models/mask_file.h"
#include "ui/models/media_files.h"
#include "ui/models/request_model.h"
#include "ui/text/error_catalog.h"
#include "ui/text/words.h"
#include "ui/windows/desktop.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_controller.h"
#include "ui/windows/settings_controller.h"

namespace kinescope::ui {
namespace {

constexpr qint64 kMostPresetBytes = 1 << 20;
constexpr FrameSelection kFirst{.max_frames = 1, .max_width_px = 0};

/// Returns true if the file is a preset. A preset stores its values under "request"; a request stores
/// them at the top level.
bool holdsPreset(const QString& file) {
    QFile source(file);
    if (!QFileInfo(file).isFile() || source.size() > kMostPresetBytes || !source.open(QIODevice::ReadOnly))
        return false;
    return readJsonObject(source.readAll()).value(QLatin1String("request")).isObject();
}

FramePtr firstFrame(Engine& engine, const std::filesystem::path& video) {
    const std::vector<FramePtr> frames = engine.videos().read_frames(video, kFirst);
    if (frames.empty())
        throw Error(ErrorCode::file_unreadable, "'" + video.string() + "' has no frame", {},
                    {{"path", video.string()}});
    return frames.front();
}

}  // namespace

FileController::FileController(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    wireMenu();
    connect(&parts_.request, &RequestModel::cardChanged, this, [this] {
        for (const QString& file : std::exchange(waiting_, {})) openNow(file);
    });
    connect(&parts_.controller, &QueueController::noSettingsFound, this, &FileController::showNoSettings);
}

void FileController::wireMenu() {
    const auto openAsked = [this](const QString& file) {
        if (!file.isEmpty()) open(file);
    };
    connect(parts_.menu.openFile, &QAction::triggered, this, [this, openAsked] {
        openAsked(askFile(tr("Open Video or Settings"), parts_.preferences.outputFolder(), tr("Videos and settings"),
                          videoFilter() + QLatin1String(" *.json *.jsonl")));
    });
    connect(parts_.menu.addStartImage, &QAction::triggered, this, [this, openAsked] {
        openAsked(askFile(tr("Add Start Image"), QDir::homePath(), tr("Images"), pictureFilter()));
    });
    connect(parts_.menu.importQueue, &QAction::triggered, this, &FileController::importQueue);
}

QString FileController::askFile(const QString& title, const QString& folder, const QString& kind,
                                const QString& endings) const {
    return parts_.desktop.askFile(title, folder, QStringLiteral("%1 (%2)").arg(kind, endings));
}

void FileController::importQueue() {
    const QString file =
        askFile(tr("Import Queue"), QDir::homePath(), tr("Queues and requests"), QStringLiteral("*.jsonl *.json"));
    if (file.isEmpty()) return;
    parts_.showForm();
    parts_.controller.importRequests(file, parts_.preferences.outputFolder());
}

DropOffer FileController::offer() const {
    const bool card = parts_.request.hasCard();
    const auto takes = [&](Task task) {
        const std::vector<Task>& tasks = parts_.request.card().tasks;
        return card && std::find(tasks.begin(), tasks.end(), task) != tasks.end();
    };
    DropOffer offer;
    offer.takesImage = takes(Task::image_to_video) || takes(Task::first_last_frame_to_video);
    if (card) offer.model = modelName(parts_.request.card());
    return offer;
}

void FileController::open(const QString& file) {
    if (parts_.request.hasCard()) return openNow(file);
    DropOffer known;
    addFile(file, known);
    const DropPlan plan = planDrop(known);
    const bool needsNoCard =
        plan.action == DropPlan::Action::openModel || plan.action == DropPlan::Action::addFolderList;
    if (needsNoCard) return carryOut(plan);
    waiting_ << file;
}

void FileController::openNow(const QString& file) {
    DropOffer known = offer();
    addFile(file, known);
    carryOut(planDrop(known));
}

void FileController::carryOut(const DropPlan& plan) {
    parts_.showForm();
    switch (plan.action) {
        case DropPlan::Action::refuse:
            return parts_.notices.show(
                {NoticeTopic::file, Severity::warning, tr("No file was opened."), plan.text, {}, {}});
        case DropPlan::Action::startImage:
            return parts_.request.edit([&](VideoRequest& form) { form.image = plan.what.toStdU16String(); });
        case DropPlan::Action::restoreVideo:
            return parts_.controller.restoreFrom(plan.what);
        case DropPlan::Action::importPreset:
            return parts_.settings.importPreset(plan.what);
        case DropPlan::Action::restoreRequest:
            return restoreRequest(plan.what);
        case DropPlan::Action::importRequests:
            return parts_.controller.importRequests(plan.what, parts_.preferences.outputFolder());
        case DropPlan::Action::openModel:
            return parts_.request.chooseModel(QDir::cleanPath(plan.what).toStdString());
        case DropPlan::Action::addFolderList:
            Q_EMIT folderListOpened(plan.what);
            return;
        case DropPlan::Action::replacePrompt:
            return replacePrompt(plan.what.toStdString());
    }
}

void FileController::replacePrompt(const std::string& prompt) {
    const auto set = [this](const std::string& words) {
        parts_.request.edit([&](VideoRequest& form) { form.prompt = words; });
    };
    const std::string before = parts_.request.request().prompt;
    set(prompt);
    // The notice about an edited job has an undo of its own.
    if (before.empty() || before == prompt || parts_.controller.isEditing()) return;
    parts_.notices.show({.topic = NoticeTopic::settings,
                         .severity = Severity::info,
                         .lead = tr("Prompt replaced."),
                         .text = {},
                         .action = tr("Undo"),
                         .call =
                             [this, set, before] {
                                 parts_.notices.clear(NoticeTopic::settings);
                                 set(before);
                             },
                         .detail = {}});
}

void FileController::restoreRequest(const QString& file) {
    inPool(
        this, [file] { return holdsPreset(file); },
        [this, file](bool isPreset) {
            isPreset ? parts_.settings.importPreset(file) : parts_.controller.restoreRequest(file);
        });
}

void FileController::showNoSettings(const QString& video) {
    if (!QFileInfo::exists(video))
        return parts_.notices.show({NoticeTopic::settings,
                                    Severity::warning,
                                    tr("There is no such file:"),
                                    QDir::toNativeSeparators(video),
                                    {},
                                    {}});
    const QString words = tr("The file was not made by Kinescope, or another program removed the settings.");
    Notice notice{NoticeTopic::settings, Severity::warning, tr("This video contains no settings."), words, {}, {}};
    if (offer().takesImage) {
        notice.action = tr("Use its first frame");
        notice.call = [this, video] { useFirstFrame(video); };
    }
    parts_.notices.show(notice);
}

void FileController::useStartImage(const QImage& image, const QString& stem) {
    inPool(
        this, [image, stem] { return savePicture(image, framesFolder(), stem); },
        [this, number = ++startImages_](const SavedPicture& saved) {
            if (!saved.fault.isEmpty())
                return parts_.notices.show(
                    {NoticeTopic::file, Severity::error, tr("The start image can't be saved:"), saved.fault, {}, {}});
            if (number == startImages_)
                parts_.request.edit([&](VideoRequest& form) { form.image = saved.file.toStdU16String(); });
        });
}

void FileController::useFirstFrame(const QString& video) {
    parts_.bridge.request(
        Lane::media, this, [video](Engine& engine) { return firstFrame(engine, video.toStdU16String()); },
        [this, video](const FramePtr& frame) {
            parts_.notices.clear(NoticeTopic::settings);
            useStartImage(imageOf(*frame), QFileInfo(video).completeBaseName());
        },
        [this](const Error& error) { showUnreadable(error); });
}

void FileController::showUnreadable(const Error& error) {
    const ErrorText words = errorText(error);
    parts_.notices.show({.topic = NoticeTopic::settings,
                         .severity = Severity::error,
                         .lead = tr("The first frame can't be read:"),
                         .text = words.sentence,
                         .action = {},
                         .call = {},
                         .detail = words.detail});
}

}  // namespace kinescope::ui
