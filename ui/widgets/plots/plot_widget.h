#pragma once

#include "ui/widgets/painted_widget.h"
#include "ui/widgets/plots/plot_header.h"

namespace kinescope::ui {

class HelpButton;

/// Base class of plots. Provides the header and its "?" button.
class PlotWidget : public PaintedWidget {
    Q_OBJECT

public:
    PlotWidget(const Theme& theme, QWidget* parent);

    /// `short_title` is shown where `title` does not fit.
    void setTitle(const QString& title, const QString& short_title = {});
    /// Adds a "?" button next to the title that opens this section of the manual, e.g. "numbers#peak".
    void setHelp(const QString& address);
    const PlotHeader& header() const { return header_; }
    void setValue(const QString& value, ColorRole role = ColorRole::text, const QString& remark = {});

protected:
    bool event(QEvent* event) override;
    /// Returns the width available to the header. It is less than the widget's width if a legend follows the header.
    virtual double headerWidth() const { return width(); }
    /// Moves the "?" button to the end of the title. Must be called when headerWidth() changes.
    void placeHelp();

private:
    PlotHeader header_;
    HelpButton* help_ = nullptr;
};

}  // namespace kinescope::ui
