#pragma once

#include "ui/models/file_checker.h"
#include "ui/text/model_words.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_line.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kinescope::ui {

class CheckBar;
class Chip;
class TextView;
class Theme;

/// Returns the severity that represents a model state.
Severity severityOf(ModelState state);

/// Details of a model: components and their files, missing components, and how the model was recognized.
class ModelDetails : public Card {
    Q_OBJECT

public:
    explicit ModelDetails(const Theme& theme, QWidget* parent = nullptr);

    /// Shows `entry`. nullptr clears the panel.
    void show(const ModelEntry* entry);
    /// Shows the state of the file check, which may belong to another model.
    void showCheck(const CheckFacts& facts);
    QString report() const { return report_; }

Q_SIGNALS:
    void useRequested();
    void showInFolderRequested();
    /// Emitted when the user requests the list of downloads for missing components.
    void downloadsRequested();
    void checkRequested();
    void stopCheckRequested();

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
    QWidget* parts_ = nullptr;  ///< created again for each model
    CheckBar* check_;
    TextView* why_;
    QLabel* whyTitle_ = nullptr;
    QString report_;
};

}  // namespace kinescope::ui
