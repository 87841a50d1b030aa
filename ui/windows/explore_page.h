#pragma once

#include <QWidget>

#include "ui/models/explore_model.h"

namespace kinescope::ui {

class ExploreForm;
class ExploreGrid;
class NoticeBoard;
class NoticeStrip;
class RequestModel;
class Theme;

/// Makes videos with several seeds and prompts and shows them side by side.
class ExplorePage : public QWidget {
    Q_OBJECT

public:
    ExplorePage(const Theme& theme, RequestModel& request, ExploreModel& model, QWidget* parent = nullptr);

    ExploreForm* form() const { return form_; }
    ExploreGrid* grid() const { return grid_; }
    /// The notices of this page.
    NoticeBoard& notices() { return *notices_; }
    NoticeStrip* strip() const { return strip_; }

private:
    ExploreForm* form_;
    ExploreGrid* grid_;
    NoticeStrip* strip_;
    NoticeBoard* notices_;
};

}  // namespace kinescope::ui
