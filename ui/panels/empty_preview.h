#pragma once

#include <QList>
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace kinescope::ui {

class ExampleCard;
class RequestModel;
class Theme;

/// What stands where the video will be: what to do, and examples to start from.
class EmptyPreview : public QWidget {
    Q_OBJECT

public:
    EmptyPreview(const Theme& theme, RequestModel& request, QWidget* parent = nullptr);

private:
    QWidget* makeWelcome();
    QWidget* makeExamples();
    QWidget* makeHints();
    void showExamples();
    void sayVocabulary();
    void showRequest();

    const Theme& theme_;
    RequestModel& request_;
    QLabel* examplesLabel_ = nullptr;
    QHBoxLayout* examples_ = nullptr;
    QLabel* vocabulary_ = nullptr;  ///< what a model of few words can draw
    QList<ExampleCard*> cards_;
};

}  // namespace kinescope::ui
