#include "ui/panels/model_picker.h"

#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <iterator>

#include "ui/models/request_model.h"
#include "ui/text/words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kHeight = 56;
constexpr int kTile = 40;
constexpr int kMargin = 8;

QString id(const ModelCard& card) {
    return QString::fromStdString(card.id);
}

}  // namespace

ModelPicker::ModelPicker(const Theme& theme, RequestModel& model, QWidget* parent)
    : QComboBox(parent), theme_(theme), model_(model) {
    setObjectName(QStringLiteral("modelCombo"));
    setMinimumHeight(kHeight);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QComboBox::activated, this, &ModelPicker::choose);
    connect(&model_, &RequestModel::modelsChanged, this, &ModelPicker::showModels);
    connect(&model_, &RequestModel::cardChanged, this, &ModelPicker::showModels);
    connect(&model_, &RequestModel::cardRefused, this, &ModelPicker::showModels);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
    inEveryLanguage(this, [this] {
        setAccessibleName(tr("Model"));
        setToolTip(tr("The model that generates the video."));
        showModels();
    });
}

QSize ModelPicker::sizeHint() const {
    return {240, std::max(kHeight, 2 * fontMetrics().lineSpacing() + 2 * kMargin)};
}

void ModelPicker::showModels() {
    clear();
    std::vector<ModelCard> cards;
    std::copy_if(model_.models().begin(), model_.models().end(), std::back_inserter(cards),
                 [](const ModelCard& card) { return !card.family.empty(); });
    const auto isChosen = [this](const ModelCard& card) { return card.id == model_.card().id; };
    if (model_.hasCard() && std::none_of(cards.begin(), cards.end(), isChosen)) cards.push_back(model_.card());
    for (const ModelCard& card : cards) addCard(card, cards);
    if (model_.hasCard()) setCurrentIndex(findData(id(model_.card())));
    insertSeparator(count());
    addItem(tr("Open a model folder…"));
    update();
}

void ModelPicker::addCard(const ModelCard& card, const std::vector<ModelCard>& all) {
    addItem(modelNameAmong(card, all), id(card));
    setItemData(count() - 1, card.id == kBuiltinModel ? QString() : id(card), Qt::ToolTipRole);
}

void ModelPicker::choose(int index) {
    const QString chosen = itemData(index).toString();
    if (!chosen.isEmpty()) return model_.chooseModel(chosen.toStdString());
    showModels();
    Q_EMIT folderRequested();
}

QString ModelPicker::kindOfModel() const {
    const bool built_in = model_.card().id == kBuiltinModel;
    const QString place = built_in ? tr("Built in") : modelFolderName(id(model_.card()));
    const bool from_text = std::find(model_.card().tasks.begin(), model_.card().tasks.end(), Task::text_to_video) !=
                           model_.card().tasks.end();
    return from_text ? tr("%1 · text to video").arg(place) : tr("%1 · image to video").arg(place);
}

void ModelPicker::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(hasFocus() ? QPen(theme_.color(ColorRole::accent), 2) : QPen(theme_.tokens().outline, 1));
    painter.setBrush(theme_.color(underMouse() ? ColorRole::hover : ColorRole::raised));
    painter.drawRoundedRect(frame, 10, 10);

    const QRectF tile(kMargin, (height() - kTile) / 2.0, kTile, kTile);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.tint(ColorRole::accent, 0.16, ColorRole::raised));
    painter.drawRoundedRect(tile, 8, 8);
    paintIcon(painter, QStringLiteral("film"), theme_.color(ColorRole::accent), tile.adjusted(10, 10, -10, -10));
    paintIcon(painter, QStringLiteral("chev"), theme_.color(ColorRole::text2),
              QRectF(width() - 28, (height() - 18) / 2.0, 18, 18));

    const QFont strong = theme_.font(Type::strong);
    const QFont caption = theme_.font(Type::caption);
    const int lines = QFontMetrics(strong).height() + QFontMetrics(caption).height() + 2;
    QRect text(static_cast<int>(tile.right()) + 12, (height() - lines) / 2,
               width() - static_cast<int>(tile.right()) - 12 - 32, lines);
    painter.setFont(strong);
    painter.setPen(theme_.color(ColorRole::text));
    const QString waiting = model_.cardError() ? tr("No model found") : tr("Starting…");
    const QString name = model_.hasCard() ? currentText() : waiting;
    painter.drawText(text, Qt::AlignTop, QFontMetrics(strong).elidedText(name, Qt::ElideRight, text.width()));
    if (!model_.hasCard()) return;
    painter.setFont(caption);
    painter.setPen(theme_.color(ColorRole::text3));
    painter.drawText(text, Qt::AlignBottom,
                     QFontMetrics(caption).elidedText(kindOfModel(), Qt::ElideRight, text.width()));
}

/// Overrides the height from the style sheet, because the entries have two lines.
bool ModelPicker::event(QEvent* event) {
    const bool done = QComboBox::event(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::Polish || type == QEvent::StyleChange || type == QEvent::FontChange)
        setMinimumHeight(sizeHint().height());
    return done;
}

/// Ignores the wheel, so that scrolling the panel does not change the model.
void ModelPicker::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

}  // namespace kinescope::ui
