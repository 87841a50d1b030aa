#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace kinescope::ui {

class MessageLine;
class Theme;

/// The access token for gated models. Shows whether one is saved, never the token itself.
class TokenField : public QWidget {
    Q_OBJECT

public:
    TokenField(const Theme& theme, const QString& file, QWidget* parent = nullptr);

private:
    void retranslate();
    void updateState();
    void save();
    void remove();
    void store(const QString& token);

    QString file_;
    bool isSaved_;
    QLabel* label_;
    QLineEdit* edit_;
    QPushButton* save_;
    QPushButton* remove_;
    MessageLine* message_;
};

}  // namespace kinescope::ui
