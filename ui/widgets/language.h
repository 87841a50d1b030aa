#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace kinescope::ui {

/// Calls `retranslate` now and after each language change, as long as `widget` exists.
void inEveryLanguage(QWidget* widget, std::function<void()> retranslate);

/// Sets the language of texts, numbers and dates: "en" or "zh_CN"; any other name selects the system language, or
/// English if that is not supported. Widgets receive QEvent::LanguageChange in the next iteration of the event loop.
void chooseLanguage(const QString& name);

/// Returns the current language, "en" or "zh_CN".
QString currentLanguage();

}  // namespace kinescope::ui
