#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "core/api/video_request.h"
#include "ui/models/preferences.h"

namespace kinescope::ui {

class ExploreModel;
class ExplorePage;
class NoticeBoard;
class QueueController;
class RequestModel;
struct Desktop;

/// Handles the actions of the Explore page: makes the videos, and more like a selected one.
class ExploreController : public QObject {
    Q_OBJECT

public:
    struct Parts {
        ExplorePage& page;
        ExploreModel& model;
        QueueController& controller;
        RequestModel& request;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
        std::function<void()> showForm;     ///< switches to the Create page
        std::function<void()> showResults;  ///< switches to the Explore page
    };

    /// All parts must outlive this object.
    explicit ExploreController(const Parts& parts, QObject* parent = nullptr);

private:
    void moreLike(int row);
    void addAfter(const std::filesystem::path& origin, const std::vector<VideoRequest>& requests);
    void showNew(const std::vector<VideoRequest>& requests);
    void clear();
    /// Offers the earlier results again.
    void offerUndo(const QString& lead, const QString& text, const std::vector<VideoRequest>& before);
    void focusContent();
    /// Updates whether the model of the selected result can make more like it.
    void updateMore();
    void offerResults(int count);

    Parts parts_;
    bool isAdding_ = false;  ///< more results like another one are being submitted
};

}  // namespace kinescope::ui
