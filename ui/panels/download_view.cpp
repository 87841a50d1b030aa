#include "ui/panels/download_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "ui/models/download_words.h"
#include "ui/text/model_words.h"
#include "ui/text/words.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kBarSteps = 1000;
constexpr qint64 kMuch = 100 << 20;  ///< bytes that Cancel does not delete without a question

QString link(const Theme& theme, const QUrl& url, const QString& text) {
    return QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
        .arg(QString::fromLatin1(url.toEncoded()).toHtmlEscaped(), theme.color(ColorRole::accent).name(),
             text.toHtmlEscaped());
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
    connect(start_, &QPushButton::clicked, this, [this] {
        asked_ = 0;
        Q_EMIT startRequested();
    });
    connect(pause_, &QPushButton::clicked, this, [this] {
        asked_ = 0;
        Q_EMIT pauseRequested();
    });
    connect(cancel_, &QPushButton::clicked, this, &DownloadView::askOrCancel);
    connect(fault_, &MessageLine::fixActivated, this, [this] {
        asked_ = 0;
        Q_EMIT cancelRequested();
    });
    show(row);
}

QPushButton* DownloadView::button(const char* name, const DownloadRow& row) {
    auto* made = new QPushButton(this);
    made->setProperty("role", "outlined");  // a plain button has the same background as the card
    made->setObjectName(QStringLiteral("%1Download-%2").arg(QLatin1String(name), row.offer.id));
    return made;
}

void DownloadView::build(const DownloadRow& row) {
    auto* name = new QLabel(row.offer.name, this);
    name->setProperty("type", "strong");
    auto* note = new QLabel(this);
    note->setProperty("type", "note");
    note->setWordWrap(true);
    auto* license = new QLabel(this);
    license->setObjectName(QStringLiteral("license-%1").arg(row.offer.id));
    license->setProperty("type", "caption");
    const auto retranslate = [this, note, license, offer = row.offer] {
        const QString text = downloadNote(offer);
        note->setText(offer.tasks.empty() ? text : QStringLiteral("%1 · %2").arg(makesText(offer.tasks), text));
        bar_->setAccessibleName(tr("Download progress: %1").arg(offer.name));
        license->setText(
            tr("License: %1 · Source: %2")
                .arg(link(theme_, offer.licenseUrl, offer.license), link(theme_, offer.source, offer.source.host())));
    };
    connect(&theme_, &Theme::themeChanged, license, retranslate);
    inEveryLanguage(this, retranslate);
    license->setTextFormat(Qt::RichText);
    license->setOpenExternalLinks(true);
    license->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    text_->setObjectName(QStringLiteral("downloadText-%1").arg(row.offer.id));
    text_->setProperty("type", "note");
    bar_->setObjectName(QStringLiteral("downloadBar-%1").arg(row.offer.id));
    bar_->setRange(0, kBarSteps);
    bar_->setTextVisible(false);
    fault_->setObjectName(QStringLiteral("downloadMessage-%1").arg(row.offer.id));

    auto* textColumn = new QVBoxLayout;
    textColumn->setSpacing(4);
    for (QWidget* part : {static_cast<QWidget*>(name), static_cast<QWidget*>(note), static_cast<QWidget*>(license),
                          static_cast<QWidget*>(bar_), static_cast<QWidget*>(text_), static_cast<QWidget*>(fault_)})
        textColumn->addWidget(part);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(16, 12, 16, 12);
    all->setSpacing(8);
    all->addLayout(textColumn, 1);
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
    received_ = row.received;
    if (!begun || done) asked_ = 0;
    showMessage(downloadFaultText(row));
    const auto set = [&](QPushButton* button, const QString& caption, bool visible) {
        button->setText(caption);
        button->setAccessibleName(tr("%1: %2", "action and model").arg(caption, row.offer.name));
        button->setVisible(visible);
    };
    const QString again = row.state == DownloadState::failed ? tr("Try again") : tr("Continue");
    set(start_, begun ? again : tr("Download"), !done && !isBusy(row.state));
    set(pause_, tr("Pause"), isBusy(row.state));
    set(cancel_, tr("Cancel"), begun && !done);
}

void DownloadView::askOrCancel() {
    if (received_ < kMuch) return Q_EMIT cancelRequested();
    asked_ = received_;
    showMessage({});
}

/// Shows the question or, without one, the fault. The question stays as it is while the download goes on.
void DownloadView::showMessage(const QString& fault) {
    if (asked_ == 0) return fault.isEmpty() ? fault_->clear() : fault_->setMessage(Severity::error, fault);
    const QString question = tr("Delete the %1 that are already downloaded?").arg(bytesText(asked_));
    if (fault_->text() != question) fault_->setMessage(Severity::warning, question, tr("Delete"));
}

}  // namespace kinescope::ui
