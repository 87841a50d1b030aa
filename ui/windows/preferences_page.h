#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "ui/models/preferences.h"

class QAbstractButton;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace kinescope::ui {

class Segmented;

/// A page of the preferences: rows of a label, a field bound to one setting, and perhaps a note below. A change is kept
/// at once. Words are functions, so that they follow the language.
class PreferencesPage : public QWidget {
    Q_OBJECT

public:
    using Words = std::function<QString()>;

    PreferencesPage(Preferences& preferences, Words title, QWidget* parent = nullptr);

    /// A field may be a layout of several in one widget. Returns the note's label.
    QLabel* addRow(QWidget* field, const Words& label, const Words& note = {});
    void addText(const Words& text);

    void bind(QAbstractButton* check, const char* key);
    /// By the data of its items.
    void bind(QComboBox* combo, const char* key);
    void bind(QSpinBox* spin, const char* key);
    void bind(QLineEdit* edit, const char* key);
    void bind(Segmented* choice, const char* key, const QStringList& values);
    /// Called whenever settings of this page are read anew, and after each change.
    void onChange(const std::function<void()>& present);

    Preferences& preferences() { return preferences_; }
    QString title() const { return title_(); }
    void store(const char* key, const QVariant& value);
    /// Shows the settings as they are now.
    void load();
    /// Every setting of this page as it was at first.
    void reset();
    /// Hides the rows that have none of the words. False: no row is left.
    bool filter(const QString& words);

Q_SIGNALS:
    void changed();

private:
    struct Row {
        QLabel* label;
        QWidget* field;
        QLabel* note;
    };
    bool matches(const Row& row, const QString& words) const;

    Preferences& preferences_;
    Words title_;
    QGridLayout* grid_;
    std::vector<Row> rows_;
    std::vector<const char*> keys_;
    std::vector<std::function<void()>> loaders_;
};

}  // namespace kinescope::ui
