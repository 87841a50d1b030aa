#pragma once

#include <QWidget>
#include <filesystem>

class QToolButton;

namespace kinescope::ui {

class ElidedLabel;
class EngineBridge;
class FormField;
class ImageTile;
class RequestModel;
class Theme;

/// The kinds of files that a well accepts in its dialog.
enum class WellFiles { videos, videos_and_images, images };

/// A form field for one input file: a tile to click, to drop on or to paste to, and a button that removes the file.
class FileWell : public QWidget {
    Q_OBJECT

public:
    /// `field` is the key in the request. `name` begins the object names: "controlVideo" gives "controlVideoTile" and
    /// "controlVideoRemoveButton".
    FileWell(const Theme& theme, RequestModel& model, const char* field, const char* name, WellFiles files,
             QWidget* parent = nullptr);

    void setLabel(const QString& label);
    void setHelp(const QString& text);
    /// Shows a file; empty: none.
    void setFile(const std::filesystem::path& file);
    ImageTile* tile() const { return tile_; }

Q_SIGNALS:
    /// The user chose a file, or removed it: then the path is empty.
    void fileChosen(const QString& file);

private:
    void ask();
    void readFirstFrame(const std::filesystem::path& file);
    QString askFor(WellFiles files, const QString& current);

    EngineBridge& bridge_;
    WellFiles files_;
    ImageTile* tile_;
    ElidedLabel* name_;
    QToolButton* remove_;
    FormField* field_ = nullptr;
};

}  // namespace kinescope::ui
