#include "ui/panels/download_list.h"

#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include "ui/models/access_token.h"
#include "ui/models/download_queue.h"
#include "ui/panels/download_view.h"
#include "ui/panels/token_field.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {

DownloadList::DownloadList(const Theme& theme, DownloadQueue& queue, QWidget* parent) : Card(theme, parent) {
    setObjectName(QStringLiteral("downloadList"));
    auto* close = new QPushButton(this);
    close->setObjectName(QStringLiteral("closeDownloadsButton"));
    connect(close, &QPushButton::clicked, this, &DownloadList::closeRequested);
    header()->addWidget(new HelpButton(theme, QStringLiteral("models#download"), this));
    header()->addWidget(close);
    auto* note = new QLabel(this);
    note->setProperty("type", "note");
    note->setWordWrap(true);
    body()->addWidget(note);
    body()->addWidget(new TokenField(theme, tokenFile(), this));

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    for (int row = 0; row < queue.rows().size(); ++row) {
        auto* view = new DownloadView(theme, queue.rows()[row], content);
        connect(view, &DownloadView::startRequested, this, [this, row] { Q_EMIT startRequested(row); });
        connect(view, &DownloadView::pauseRequested, &queue, [&queue, row] { queue.pause(row); });
        connect(view, &DownloadView::cancelRequested, &queue, [&queue, row] { queue.cancel(row); });
        column->addWidget(view);
        views_ << view;
    }
    column->addStretch(1);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(content);
    body()->addWidget(area, 1);
    connect(&queue, &DownloadQueue::changed, this, [this, &queue](int row) { views_[row]->show(queue.rows()[row]); });
    inEveryLanguage(this, [this, close, note, &queue] {
        setTitle(tr("Get models"));
        close->setText(tr("Back to models"));
        note->setText(tr("Kinescope downloads only the models that you select, resumes interrupted downloads, and "
                         "verifies the length and SHA-256 of every file. Files are saved in %1.")
                          .arg(QDir::toNativeSeparators(queue.folder())));
        for (int row = 0; row < views_.size(); ++row) views_[row]->show(queue.rows()[row]);
    });
}

}  // namespace kinescope::ui
