#include <QtTest>

#include <QPushButton>

#include "ui/models/download_queue.h"
#include "ui/panels/download_view.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

namespace {

DownloadRow rowWith(qint64 received, DownloadState state) {
    DownloadRow row;
    row.offer.id = QStringLiteral("one");
    row.offer.name = QStringLiteral("One");
    row.offer.files = {DownloadFile{QUrl(), qint64{1} << 34, {}, QStringLiteral("vae/one.safetensors")}};
    row.state = state;
    row.received = received;
    return row;
}

}  // namespace

class TestDownloadView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void cancelAsksBeforeItDeletesMuch() {
        Theme theme;
        const qint64 received = qint64{5} << 30;
        DownloadView view(theme, rowWith(received, DownloadState::receiving));
        auto* cancel = view.findChild<QPushButton*>("cancelDownload-one");
        auto* message = view.findChild<MessageLine*>("downloadMessage-one");
        QSignalSpy cancelled(&view, &DownloadView::cancelRequested);
        cancel->click();
        QCOMPARE(cancelled.size(), 0);
        QVERIFY(message->text().contains("5.0 GiB"));
        view.show(rowWith(received + (qint64{1} << 30), DownloadState::receiving));
        QVERIFY(message->text().contains("5.0 GiB"));
        Q_EMIT message->fixActivated();
        QCOMPARE(cancelled.size(), 1);
        view.show(rowWith(0, DownloadState::offered));
        QCOMPARE(message->severity(), Severity::none);
    }

    void pausingWithdrawsTheQuestion() {
        Theme theme;
        const qint64 received = qint64{5} << 30;
        DownloadView view(theme, rowWith(received, DownloadState::receiving));
        view.findChild<QPushButton*>("cancelDownload-one")->click();
        view.findChild<QPushButton*>("pauseDownload-one")->click();
        view.show(rowWith(received, DownloadState::paused));
        QCOMPARE(view.findChild<MessageLine*>("downloadMessage-one")->severity(), Severity::none);
    }

    void littleIsDeletedWithoutAQuestion() {
        Theme theme;
        DownloadView view(theme, rowWith(1 << 20, DownloadState::receiving));
        QSignalSpy cancelled(&view, &DownloadView::cancelRequested);
        view.findChild<QPushButton*>("cancelDownload-one")->click();
        QCOMPARE(cancelled.size(), 1);
    }
};

QTEST_MAIN(TestDownloadView)
#include "test_download_view.moc"
