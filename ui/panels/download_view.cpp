#include "ui/panels/download_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "ui/models/download_words.h"
#include "ui/models/model_words.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kBarSteps = 1000;

QString link(const Theme& theme, const QUrl& url, const QString& words) {
    return QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
        .arg(QString::fromLatin1(url.toEncoded()).toHtmlEscaped(), theme.color(ColorRole::accent).name(),
             words.toHtmlEscaped());
}

bool isBusy(DownloadState state) {
    return state == DownloadState::waiting || state == DownloadState::checking || state == DownloadState::receiving;
}

}  // namespace

DownloadView::DownloadView(const Theme& theme, const DownloadRow& row, QWidget* parent)
    : QFrame(parent),
      theme_(theme),
      text_(new QLabel(this)),
      bar_(new QProgressBar(this)),
      fault_(new MessageLine(theme, this)),
      start_(button("start", row)),
      pause_(button("pause", row)),
      cancel_(button("cancel", row)) {
    setObjectName(QStringLiteral("download-%1").arg(row.offer.id));
    setProperty("role", "card");
    build(row);
    connect(start_, &QPushButton::clicked, this, &DownloadView::startWanted);
    connect(pause_, &QPushButton::clicked, this, &DownloadView::pauseWanted);
    connect(cancel_, &QPushButton::clicked, this, &DownloadView::cancelWanted);
    show(row);
}

QPushButton* DownloadView::button(const char* name, const DownloadRow& row) {
    auto* made = new QPushButton(this);
    made->setProperty("role", "outlined");  // a card is as bright as a button
    made->setObjectName(QStringLiteral("%1Download-%2").arg(QLatin1String(name), row.offer.id));
    return made;
}

void DownloadView::build(const DownloadRow& row) {
    auto* name = new QLabel(row.offer.name, this);
    name->setProperty("type", "strong");
    auto* note = new QLabel(this);
    note->setProperty("type", "note");
    note->setWordWrap(true);
    auto* licence = new QLabel(this);
    licence->setObjectName(QStringLiteral("licence-%1").arg(row.offer.id));
    licence->setProperty("type", "caption");
    const auto say = [this, note, licence, offer = row.offer] {
        note->setText(QStringLiteral("%1 · %2").arg(makesText(offer.tasks), downloadNote(offer)));
        bar_->setAccessibleName(tr("Progress of %1").arg(offer.name));
        licence->setText(
            tr("Licence: %1 · from %2")
                .arg(link(theme_, offer.licenceUrl, offer.licence), link(theme_, offer.source, offer.source.host())));
    };
    connect(&theme_, &Theme::themeChanged, licence, say);
    inEveryLanguage(this, say);
    licence->setTextFormat(Qt::RichText);
    licence->setOpenExternalLinks(true);
    licence->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    text_->setObjectName(QStringLiteral("downloadText-%1").arg(row.offer.id));
    text_->setProperty("type", "note");
    bar_->setObjectName(QStringLiteral("downloadBar-%1").arg(row.offer.id));
    bar_->setRange(0, kBarSteps);
    bar_->setTextVisible(false);
    fault_->setObjectName(QStringLiteral("downloadMessage-%1").arg(row.offer.id));

    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    for (QWidget* part : {static_cast<QWidget*>(name), static_cast<QWidget*>(note), static_cast<QWidget*>(licence),
                          static_cast<QWidget*>(bar_), static_cast<QWidget*>(text_), static_cast<QWidget*>(fault_)})
        words->addWidget(part);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(16, 12, 16, 12);
    all->setSpacing(8);
    all->addLayout(words, 1);
    for (QPushButton* each : {start_, pause_, cancel_}) all->addWidget(each, 0, Qt::AlignTop);
}

void DownloadView::show(const DownloadRow& row) {
    const bool begun = row.state != DownloadState::offered;
    const bool done = row.state == DownloadState::done;
    QString text = downloadText(row);
    if (const double left = secondsLeft(row); left > 0) text = tr("%1, %2 left").arg(text, formatDuration(left));
    text_->setText(text);
    bar_->setVisible(begun && !done);
    bar_->setValue(static_cast<int>(kBarSteps * row.received / std::max<qint64>(row.offer.bytes(), 1)));
    const QString fault = downloadFaultText(row);
    fault.isEmpty() ? fault_->clear() : fault_->setMessage(Severity::error, fault);
    const auto set = [&](QPushButton* button, const QString& words, bool visible) {
        button->setText(words);
        button->setAccessibleName(tr("%1: %2", "action and model").arg(words, row.offer.name));
        button->setVisible(visible);
    };
    const QString again = row.state == DownloadState::failed ? tr("Try again") : tr("Continue");
    set(start_, begun ? again : tr("Download"), !done && !isBusy(row.state));
    set(pause_, tr("Pause"), isBusy(row.state));
    set(cancel_, tr("Cancel"), begun && !done);
}

}  // namespace kinescope::ui
