#pragma once

#include <QToolButton>

namespace kinescope::ui {

class Theme;

/// Scheme of the addresses that openManual() hands to QDesktopServices.
inline constexpr auto kManualScheme = "kinescope-manual";
/// Dynamic property of a widget: the section of the manual that explains it. F1 looks for it, from the focus upwards.
inline constexpr auto kManualSection = "manualSection";

/// Opens the manual at an address such as "numbers#headroom". The main window registers the handler of the scheme.
void openManual(const QString& address);

/// The "?" beside a setting or plot.
class HelpButton : public QToolButton {
    Q_OBJECT

public:
    /// `explained` is the widget that the section is about; it becomes the parent.
    HelpButton(const Theme& theme, const QString& address, QWidget* explained);

    QString address() const { return address_; }

private:
    QString address_;
};

}  // namespace kinescope::ui
