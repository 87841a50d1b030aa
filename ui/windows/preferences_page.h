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

/// A page of the preferences with rows of a label, a field bound to a setting, and an optional note. Changes are stored
/// immediately. Texts are functions, so that they can be updated after a language change.
class PreferencesPage : public QWidget {
    Q_OBJECT

public:
    using TextFunction = std::function<QString()>;

    PreferencesPage(Preferences& preferences, TextFunction title, QWidget* parent = nullptr);

    /// Adds a row. `field` can contain several widgets. Returns the label that shows the note.
    QLabel* addRow(QWidget* field, const TextFunction& label, const TextFunction& note = {});
    void addText(const TextFunction& text);

    void bind(QAbstractButton* check, const char* key);
    /// Binds a combo box to a setting. The setting stores the data of the selected item.
    void bind(QComboBox* combo, const char* key);
    void bind(QSpinBox* spin, const char* key);
    void bind(QLineEdit* edit, const char* key);
    void bind(Segmented* choice, const char* key, const QStringList& values);
    /// Calls `present` when the settings are loaded and after each change.
    void onChange(const std::function<void()>& present);

    Preferences& preferences() { return preferences_; }
    QString title() const { return title_(); }
    void store(const char* key, const QVariant& value);
    /// Loads the stored settings into the fields.
    void load();
    /// False for a page whose contents are saved by a button of its own.
    bool hasSettings() const { return !keys_.empty(); }
    /// Resets all settings of this page.
    void reset();
    /// Places the labels beside their fields if the page fits into this width then, otherwise above them.
    void fitTo(int width);
    /// Shows only the rows that contain `words`. Returns false if there are none.
    bool filter(const QString& words);

Q_SIGNALS:
    void changed();

protected:
    bool event(QEvent* event) override;

private:
    enum class Labels { beside, above };
    struct Row {
        int place;  ///< of its first line in the grid
        QLabel* label;
        QWidget* field;
        QLabel* note;
    };
    bool matches(const Row& row, const QString& words) const;
    int takeLines();
    void place(const Row& row, Labels labels);
    void placeAll(Labels labels);

    Preferences& preferences_;
    TextFunction title_;
    QGridLayout* grid_;
    int numLines_ = 0;  ///< of the grid
    Labels labels_ = Labels::beside;
    int room_ = QWIDGETSIZE_MAX;  ///< the width into which the page has to fit
    std::vector<Row> rows_;
    std::vector<const char*> keys_;
    std::vector<std::function<void()>> loaders_;
};

}  // namespace kinescope::ui
