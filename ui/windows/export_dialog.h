#pragma once

#include <QDialog>

#include "ui/models/export_format.h"
#include "ui/models/video_exporter.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSlider;
class QSpinBox;

namespace kinescope::ui {

class MessageLine;
class Theme;
struct Desktop;

/// Exports a video: format, quality, name, the expected size, and the progress. Stays open during an export. Deleting
/// it stops the export.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    struct Parts {
        const Theme& theme;
        EngineBridge& bridge;
        const Desktop& desktop;
    };

    /// `folder` is the default folder of the copy.
    ExportDialog(const Parts& parts, const QString& video, const QString& folder, QWidget* parent = nullptr);

    const ExportChoice& choice() const { return choice_; }

    /// Only says how to stop while an export runs.
    void reject() override;

Q_SIGNALS:
    void exported(const QString& file);

private:
    void build();
    QWidget* makeNameRow();
    QWidget* makeQualityRow();
    QWidget* makeButtons();
    void wire();
    void retranslate();
    void fillFormats();

    void onChoiceChanged();
    void setFormat(const QString& format);
    void setTarget(const QString& target);
    void chooseTarget();
    void updateFields();
    void updateEstimate();
    void start();
    void startOrAsk();
    void onFinished(const ExportResult& result);
    void onFailed(const Error& error);

    Parts parts_;
    VideoExporter exporter_;
    ExportChoice choice_;
    QString confirmed_;  ///< an existing file that the user agreed to replace
    QString saved_;      ///< the finished copy; empty: none yet
    QString folder_;     ///< of the proposed name or of the file chosen last; a name alone belongs to it
    QLabel* title_;
    QLabel* source_;
    QLabel* formatLabel_;
    QComboBox* format_;
    QLabel* note_;
    QLabel* qualityLabel_;
    QSlider* slider_;
    QSpinBox* spin_;
    QLabel* nameLabel_;
    QLineEdit* name_;
    QPushButton* choose_;
    QCheckBox* settings_;
    QLabel* size_;
    QProgressBar* progress_;
    MessageLine* message_;
    QPushButton* close_;
    QPushButton* export_;
};

}  // namespace kinescope::ui
