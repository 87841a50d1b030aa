#pragma once

#include <QAbstractButton>
#include <QImage>

namespace kinescope::ui {

class Theme;

/// A picture that the user may give: a click asks for a file, a drop or Ctrl+V gives one, Delete takes it away. Shows a
/// small copy of it, read off the GUI thread.
class ImageTile : public QAbstractButton {
    Q_OBJECT

public:
    ImageTile(const Theme& theme, const QString& emptyText, QWidget* parent = nullptr);
    /// What stands in the tile while it is empty.
    void setHint(const QString& emptyText);

    /// Empty: no picture.
    void setFile(const QString& file);
    const QString& file() const { return file_; }
    bool hasThumbnail() const { return !thumbnail_.isNull(); }

    QSize sizeHint() const override { return {96, 96}; }

Q_SIGNALS:
    /// Dropped or pasted; the owner decides.
    void fileGiven(const QString& file);
    void removeWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void readThumbnail();
    void paste();

    const Theme& theme_;
    QString emptyText_;
    QString file_;
    QImage thumbnail_;
    bool dropping_ = false;
};

}  // namespace kinescope::ui
