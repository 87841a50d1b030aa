#pragma once

#include "ui/windows/desktop.h"
#include "ui/windows/preferences_page.h"

namespace kinescope::ui {

class EngineBridge;
class Theme;

/// Dependencies of the pages.
struct PreferencesContext {
    const Theme& theme;
    Preferences& preferences;
    EngineBridge& bridge;
    const Desktop& desktop;
};

PreferencesPage* makeGeneralPage(const PreferencesContext& context);
PreferencesPage* makeOutputPage(const PreferencesContext& context);
PreferencesPage* makePerformancePage(const PreferencesContext& context);
PreferencesPage* makeGuardPage(const PreferencesContext& context);
PreferencesPage* makeComputersPage(const PreferencesContext& context);
PreferencesPage* makePrivacyPage(const PreferencesContext& context);

}  // namespace kinescope::ui
