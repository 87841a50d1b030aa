#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace kinescope::ui {

/// Calls `say` now, and again whenever the language changes, as long as the widget lives.
void inEveryLanguage(QWidget* widget, std::function<void()> say);

/// The language of all words, numbers and dates from now on: "en", "zh_CN"; anything else is the system's, or English
/// where Kinescope does not speak it. Widgets hear of it by QEvent::LanguageChange with the next
/// turn of the event loop.
void chooseLanguage(const QString& name);

/// The one that is in use: "en" or "zh_CN".
QString currentLanguage();

}  // namespace kinescope::ui
