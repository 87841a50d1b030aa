#pragma once

#include <QDialog>

#include "ui/models/finish_choice.h"
#include "ui/models/preferences.h"
#include "ui/models/video_finisher.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace kinescope::ui {

class MessageLine;
class Theme;
struct Desktop;

/// Enlarges, interpolates and adds sound to a video: files, frame rate, name, and the progress. Stays open while it
/// works. Deleting it pauses the work.
class FinishDialog : public QDialog {
    Q_OBJECT

public:
    struct Parts {
        const Theme& theme;
        EngineBridge& bridge;
        const Desktop& desktop;
        Preferences preferences;  ///< remembers the files of the networks
    };

    FinishDialog(const Parts& parts, const QString& video, QWidget* parent = nullptr);

    const FinishChoice& choice() const { return choice_; }

    /// Asks what to do while the work runs.
    void reject() override;

Q_SIGNALS:
    void saved(const QString& file);

private:
    /// A label, the path of a file, and a button that asks for it.
    struct FileField {
        QLabel* label = nullptr;
        QLineEdit* edit = nullptr;
        QPushButton* choose = nullptr;
    };

    FileField makeField(const char* name);
    void addRow(QGridLayout& grid, const FileField& field) const;
    void build();
    QWidget* makeAudioRow();
    QWidget* makeButtons();
    void wire();
    void retranslate();
    void readFields();
    void fillChoices();
    /// The fields beside "Repeat short audio", in their order.
    QList<QWidget*> audioFields() const;
    void updateFields();
    void explainFields();
    void ask(const FileField& field, const QString& title, const QString& filter);
    void askTarget();
    void setTarget(const QString& target);
    void startOrAsk();
    void start();
    void onProgress(const FinishProgress& progress);
    void onFinished(const FinishResult& result);
    void onFailed(const Error& error);

    Parts parts_;
    VideoFinisher finisher_;
    FinishChoice choice_;
    QString folder_;     ///< the folder of names without one: that of the last complete name
    QString confirmed_;  ///< an existing file that the user agreed to replace
    QString result_;     ///< the finished copy; empty: none yet
    QLabel* title_;
    QLabel* source_;
    FileField upscaler_;
    QLabel* factorLabel_;
    QComboBox* factor_;
    FileField interpolator_;
    QLabel* rateLabel_;
    QComboBox* rate_;
    FileField audio_;
    QCheckBox* loop_;
    QLabel* startLabel_;
    QDoubleSpinBox* start_;
    QLabel* fadeInLabel_;
    QDoubleSpinBox* fadeIn_;
    QLabel* fadeOutLabel_;
    QDoubleSpinBox* fadeOut_;
    FileField target_;
    QLabel* state_;
    QProgressBar* progress_;
    MessageLine* message_;
    QPushButton* close_;
    QPushButton* finish_;
};

}  // namespace kinescope::ui
