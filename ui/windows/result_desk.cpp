#include "ui/windows/result_desk.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>

#include "ui/models/export_name.h"
#include "ui/models/log_table.h"
#include "ui/models/run_model.h"
#include "ui/models/words.h"
#include "ui/panels/numbers_panel.h"
#include "ui/widgets/frame_player.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {
namespace {

constexpr qint64 kPiece = 1 << 20;

/// Returns what went wrong; empty: nothing. What was there under that name stays until the copy is whole.
QString copyFile(const QString& from, const QString& to) {
    QFile source(from);
    QSaveFile target(to);
    if (!source.open(QIODevice::ReadOnly)) return source.errorString();
    if (!target.open(QIODevice::WriteOnly)) return target.errorString();
    while (!source.atEnd())
        if (target.write(source.read(kPiece)) < 0) return target.errorString();
    return target.commit() ? QString() : target.errorString();
}

/// The frames of a folder, which has no folders in it.
QString copyFolder(const QString& from, const QString& to) {
    QDir().mkpath(to);
    for (const QFileInfo& file : QDir(from).entryInfoList(QDir::Files)) {
        const QString problem = copyFile(file.absoluteFilePath(), QDir(to).filePath(file.fileName()));
        if (!problem.isEmpty()) return problem;
    }
    return {};
}

}  // namespace

ResultDesk::ResultDesk(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {}

QString ResultDesk::file() const {
    const RunFacts& facts = parts_.run.facts();
    if (facts.state == RunState::done) return pathText(facts.result.output);
    if (facts.state == RunState::stopped) return pathText(facts.cancelled.output);
    return {};
}

void ResultDesk::show() {
    const QString video = file();
    if (!video.isEmpty()) return parts_.desktop.showInFolder(video);
    const QDir folder(parts_.preferences.outputFolder());
    folder.mkpath(QStringLiteral("."));
    parts_.desktop.showInFolder(folder.filePath(QStringLiteral(".")));
}

QString ResultDesk::askName(const QString& title, const QString& proposal, const QString& kind, const QString& ending) {
    const QString filter = ending.isEmpty() ? kind : QStringLiteral("%1 (*.%2)").arg(kind, ending);
    const QString chosen = parts_.desktop.askSaveName(title, QDir::home().filePath(proposal), filter);
    return chosen.isEmpty() ? chosen : exportName(chosen, ending);
}

/// The copy is what was made, so it keeps its kind whatever ending was typed.
void ResultDesk::exportVideo() {
    const QString from = file();
    if (from.isEmpty()) return;
    const QFileInfo video(from);
    const QString ending = video.isDir() ? QString() : video.suffix();
    const QString to = askName(tr("Export video"), video.fileName(), tr("Video"), ending);
    if (!to.isEmpty()) copy(from, to);
}

void ResultDesk::exportNumbers(NumbersExport what) {
    const QString log = pathText(parts_.run.facts().request.output.numeric_log);
    const QString stem = log.isEmpty() ? QStringLiteral("numbers") : QFileInfo(log).completeBaseName();
    const auto ask = [&](const QString& kind, const QString& ending) {
        return askName(tr("Export the numbers"), stem + QLatin1Char('.') + ending, kind, ending);
    };
    if (what == NumbersExport::picture) {
        savePlots(ask(tr("Picture"), QStringLiteral("png")));
    } else if (what == NumbersExport::csv) {
        saveTable(log, ask(tr("Table"), QStringLiteral("csv")));
    } else {
        copy(log, ask(tr("JSON Lines"), QStringLiteral("jsonl")));
    }
}

void ResultDesk::savePlots(const QString& to) {
    if (to.isEmpty()) return;
    const bool saved = parts_.numbers.picture().save(to, "PNG");
    tell(saved ? QString() : folderText(QFileInfo(to).path()), to);
}

void ResultDesk::saveTable(const QString& log, const QString& to) {
    if (to.isEmpty()) return;
    QFile source(log);
    QSaveFile table(to);
    if (!source.open(QIODevice::ReadOnly)) return tell(source.errorString(), to);
    const bool ok = table.open(QIODevice::WriteOnly) && table.write(csvOfLog(source.readAll())) >= 0 && table.commit();
    tell(ok ? QString() : table.errorString(), to);
}

void ResultDesk::saveFrame() {
    const QImage frame = parts_.player.currentImage();
    if (frame.isNull()) return;
    const QString name = QStringLiteral("frame-%1.png").arg(parts_.player.frame() + 1);
    const QString to = askName(tr("Save frame"), name, tr("Picture"), QStringLiteral("png"));
    if (to.isEmpty()) return;
    tell(frame.save(to, "PNG") ? QString() : folderText(QFileInfo(to).path()), to);
}

void ResultDesk::copy(const QString& from, const QString& to) {
    if (to.isEmpty() || QFileInfo(from) == QFileInfo(to)) return;
    QThreadPool::globalInstance()->start([desk = QPointer(this), from, to] {
        const QString problem = QFileInfo(from).isDir() ? copyFolder(from, to) : copyFile(from, to);
        QMetaObject::invokeMethod(qApp, [desk, problem, to] {
            if (desk) desk->tell(problem, to);
        });
    });
}

void ResultDesk::tell(const QString& problem, const QString& to) {
    const QString name = QFileInfo(to).fileName();
    if (problem.isEmpty()) return parts_.notices.say({NoticeTopic::file, Severity::ok, tr("Exported"), name, {}, {}});
    parts_.notices.say({NoticeTopic::file, Severity::error, tr("%1 could not be saved:").arg(name), problem, {}, {}});
}

}  // namespace kinescope::ui
