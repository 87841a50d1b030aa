#pragma once

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

struct MemoryPart {
    QString name;
    qint64 bytes = 0;
    int series = 0;  ///< index into Theme::series, or kFreeMemory
    QString amount;  ///< the bytes in words

    bool operator==(const MemoryPart&) const = default;
};

inline constexpr int kFreeMemory = -1;

/// A stacked bar of the memory that a run uses, with a two-column legend.
class MemoryBar : public PaintedWidget {
    Q_OBJECT

public:
    enum class Legend { shown, hidden };

    explicit MemoryBar(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the parts of the bar. Parts beyond `total_bytes` are clipped.
    void setParts(const QList<MemoryPart>& parts, qint64 total_bytes);
    void setLegend(Legend legend);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintLegend(QPainter& painter) const;

    QList<MemoryPart> parts_;
    qint64 total_bytes_ = 0;
    Legend legend_ = Legend::shown;
};

}  // namespace kinescope::ui
