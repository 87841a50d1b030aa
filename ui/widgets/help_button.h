#pragma once

#include <QToolButton>

namespace kinescope::ui {

class Theme;

/// URL scheme of the manual sections that openManual() passes to QDesktopServices.
inline constexpr auto kManualScheme = "kinescope-manual";
/// Dynamic property with the manual section of a widget. F1 opens the section of the focused widget or its nearest
/// ancestor that has one.
inline constexpr auto kManualSection = "manualSection";

/// Opens the manual at an address such as "numbers#headroom". Requires the URL handler that the main window registers.
void openManual(const QString& address);

/// The "?" button next to a setting or plot.
class HelpButton : public QToolButton {
    Q_OBJECT

public:
    /// `explained` is the widget that the manual section describes. It becomes the parent of the button.
    HelpButton(const Theme& theme, const QString& address, QWidget* explained);

    QString address() const { return address_; }

private:
    QString address_;
};

}  // namespace kinescope::ui
