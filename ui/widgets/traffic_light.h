#pragma once

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// Summarizes the numbers of a run: an icon and color for the state, a sentence, and a detail line. Enter, Space or a
/// click emits activated().
class TrafficLight : public PaintedWidget {
    Q_OBJECT
    Q_PROPERTY(QString state READ stateName NOTIFY stateChanged)

public:
    enum class State { waiting, healthy, healed, close, repairing, stopped };
    enum class Layout { card, line };  ///< card: in the Numbers dock; line: in the status bar

    explicit TrafficLight(const Theme& theme, QWidget* parent = nullptr);

    void setState(State state, const QString& line, const QString& detail = {});
    State state() const { return state_; }
    QString stateName() const;
    QString line() const { return line_; }
    QString detail() const { return detail_; }
    void setLayout(Layout layout);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return layout_ == Layout::card; }
    int heightForWidth(int width) const override;

Q_SIGNALS:
    void stateChanged();
    void activated();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintCard(QPainter& painter) const;
    void paintLine(QPainter& painter) const;
    double lineHeight(double width) const;
    double detailHeight(double width) const;
    double wrappedHeight(const QString& text, Type type, double width) const;

    State state_ = State::waiting;
    Layout layout_ = Layout::card;
    QString line_;
    QString detail_;
};

/// Returns the name of the icon of a state.
QString iconOf(TrafficLight::State state);
ColorRole colorOf(TrafficLight::State state);

}  // namespace kinescope::ui
