#pragma once

#include "ui/models/file_checker.h"
#include "ui/models/model_words.h"
#include "ui/widgets/island.h"
#include "ui/widgets/message_line.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kinescope::ui {

class CheckBar;
class Chip;
class Theme;

/// The shape and colour that a model's state is shown by.
Severity severityOf(ModelState state);

/// One model: what its parts are and where they lie, what is missing, and why it was taken for what it is.
class ModelDetails : public Island {
    Q_OBJECT

public:
    explicit ModelDetails(const Theme& theme, QWidget* parent = nullptr);

    /// Null: nothing is chosen.
    void show(const ModelEntry* entry);
    /// The check that is under way, of this model or of another.
    void showCheck(const CheckFacts& facts);
    QString report() const { return report_; }

Q_SIGNALS:
    void useWanted();
    void showInFolderWanted();
    /// Something is missing, and it may be among the downloads.
    void downloadsWanted();
    void checkWanted();
    void stopCheckWanted();

private:
    QPushButton* button(const char* name);
    void buildHeader();
    void buildBody();
    void showParts(const ModelEntry& entry);
    void addPart(QGridLayout& grid, const ModelPart& part);
    void showState(const ModelEntry& entry);

    const Theme& theme_;
    Chip* chip_;
    QPushButton* copy_;
    QPushButton* show_;
    QPushButton* use_;
    QPushButton* get_;
    QWidget* partsArea_;
    QWidget* parts_ = nullptr;  ///< made anew for each model
    CheckBar* check_;
    QLabel* why_;
    QLabel* whyTitle_ = nullptr;
    QString report_;
};

}  // namespace kinescope::ui
