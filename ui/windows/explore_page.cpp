#include "ui/windows/explore_page.h"

#include <QVBoxLayout>

#include "ui/panels/explore_form.h"
#include "ui/panels/explore_grid.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {

ExplorePage::ExplorePage(const Theme& theme, RequestModel& request, ExploreModel& model, QWidget* parent)
    : QWidget(parent), form_(new ExploreForm(theme, request, this)), grid_(new ExploreGrid(theme, model, this)) {
    setObjectName(QStringLiteral("explorePage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(form_);
    strip_ = new NoticeStrip(theme, this);
    strip_->setObjectName(QStringLiteral("exploreStrip"));
    notices_ = new NoticeBoard(*strip_, this);
    column->addWidget(strip_);
    column->addWidget(grid_, 1);
    inEveryLanguage(this, [this] { notices_->clearAll(); });  // notices in the previous language
}

}  // namespace kinescope::ui
