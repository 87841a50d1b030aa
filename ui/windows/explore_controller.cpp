#include "ui/windows/explore_controller.h"

#include <QListView>
#include <algorithm>

#include "ui/models/explore_model.h"
#include "ui/models/explore_rule.h"
#include "ui/models/request_model.h"
#include "ui/panels/explore_form.h"
#include "ui/panels/explore_grid.h"
#include "ui/panels/prompt_edit.h"
#include "ui/text/words.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/desktop.h"
#include "ui/windows/explore_page.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_controller.h"

namespace kinescope::ui {

ExploreController::ExploreController(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    ExploreGrid* grid = parts_.page.grid();
    connect(parts_.page.form(), &ExploreForm::exploreRequested, this, [this](int seeds) {
        parts_.controller.generateNew(parts_.preferences.outputFolder(), seeds,
                                      [this](const std::vector<VideoRequest>& sent) {
                                          if (!sent.empty()) showNew(sent);
                                      });
    });
    connect(&parts_.controller, &QueueController::swept, this, [this](const std::vector<VideoRequest>& requests) {
        showNew(requests);
        offerResults(static_cast<int>(requests.size()));
    });
    connect(&parts_.page.notices(), &NoticeBoard::dismissed, this, &ExploreController::focusContent);
    connect(grid, &ExploreGrid::moreRequested, this, &ExploreController::moreLike);
    connect(grid, &ExploreGrid::clearRequested, this, &ExploreController::clear);
    connect(grid, &ExploreGrid::useRequested, this, [this](int row) {
        const VideoRequest request = parts_.model.request(row);
        parts_.showForm();
        parts_.controller.restore(request);
    });
    connect(grid, &ExploreGrid::showInFolderRequested, this,
            [this](const QString& file) { parts_.desktop.showInFolder(file); });
    connect(grid, &ExploreGrid::selectionChanged, this, &ExploreController::updateMore);
    connect(&parts_.request, &RequestModel::modelsChanged, this, &ExploreController::updateMore);
}

void ExploreController::moreLike(int row) {
    if (isAdding_) return;  // the grid does not contain yet what must not be added again
    const int count = parts_.page.form()->numSeeds();
    const auto found = neighbors(parts_.model.request(row), count, parts_.model.requests());
    const auto refuse = [this](const QString& lead, const QString& text) {
        parts_.page.notices().show({NoticeTopic::queue, Severity::warning, lead, text, {}, {}, {}});
    };
    if (found.empty()) return refuse(tr("Nothing to add:"), tr("the grid contains all variations of this result."));
    if (static_cast<int>(found.size()) > parts_.model.room())
        return refuse(tr("The grid is full:"), tr("clear it, or choose fewer seeds."));
    isAdding_ = true;
    parts_.controller.submitAll(
        found, parts_.preferences.outputFolder(),
        [this, origin = parts_.model.request(row).output.file](const std::vector<VideoRequest>& sent) {
            isAdding_ = false;
            addAfter(origin, sent);
        });
}

/// Adds results after that of a file. The grid may show other results by now.
void ExploreController::addAfter(const std::filesystem::path& origin, const std::vector<VideoRequest>& requests) {
    const std::vector<VideoRequest> shown = parts_.model.requests();
    const auto found = std::ranges::find_if(shown, [&](const VideoRequest& one) { return one.output.file == origin; });
    if (found != shown.end()) parts_.model.insertAfter(static_cast<int>(found - shown.begin()), requests);
}

/// Shows new results instead of the earlier ones. Withdraws the undo of a cleared grid, which would replace them.
void ExploreController::showNew(const std::vector<VideoRequest>& requests) {
    const std::vector<VideoRequest> before = parts_.model.requests();
    parts_.model.setRequests(requests);
    if (before.empty()) return parts_.page.notices().clear(NoticeTopic::queue);
    offerUndo(tr("New results."), tr("The earlier videos are still in the library."), before);
}

/// Moves the focus away from a notice that is about to disappear.
void ExploreController::focusContent() {
    if (parts_.model.rowCount() > 0) return parts_.page.grid()->view()->setFocus();
    parts_.page.form()->prompt()->setFocus();
}

void ExploreController::clear() {
    const std::vector<VideoRequest> before = parts_.model.requests();
    parts_.model.clear();
    offerUndo(tr("Grid cleared."), tr("The videos are still in the library."), before);
    parts_.page.notices().focusAction();
}

void ExploreController::offerUndo(const QString& lead, const QString& text, const std::vector<VideoRequest>& before) {
    parts_.page.notices().show({NoticeTopic::queue,
                                Severity::info,
                                lead,
                                text,
                                tr("Undo"),
                                [this, before] {
                                    parts_.model.showAgain(before);
                                    focusContent();
                                    parts_.page.notices().clear(NoticeTopic::queue);
                                },
                                {}});
}

void ExploreController::updateMore() {
    const QList<int> rows = parts_.page.grid()->selectedRows();
    if (rows.isEmpty()) return;
    const auto& models = parts_.request.models();
    const VideoRequest& request = parts_.model.request(rows.front());
    const auto card = std::ranges::find(models, request.model, &ModelCard::id);
    const bool refuses = card != models.end() && !card->offers_variations;
    if (refuses)
        parts_.page.grid()->setMoreRefused(tr("%1 can't vary the noise of a seed.", "model").arg(modelName(*card)));
    else if (request.video || request.continue_video)
        parts_.page.grid()->setMoreRefused(tr("Only videos that start from noise can be varied."));
    else
        parts_.page.grid()->setMoreRefused(QString());
}

/// Says on the other pages where the results appear.
void ExploreController::offerResults(int count) {
    if (parts_.page.isVisible()) return;
    parts_.notices.show({NoticeTopic::queue,
                         Severity::info,
                         tr("%Ln videos:", nullptr, count),
                         tr("their results appear side by side in Explore."),
                         tr("Open Explore"),
                         parts_.showResults,
                         {}});
}

}  // namespace kinescope::ui
