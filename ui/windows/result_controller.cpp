#include "ui/windows/result_controller.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "ui/models/export_name.h"
#include "ui/models/in_pool.h"
#include "ui/models/log_table.h"
#include "ui/models/run_model.h"
#include "ui/models/save_file.h"
#include "ui/panels/numbers_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/frame_player.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {
namespace {

QString saveAsTable(const QString& log, const QString& to) {
    QFile source(log);
    return source.open(QIODevice::ReadOnly) ? saveFile(to, csvOfLog(source.readAll())) : source.errorString();
}

}  // namespace

ResultController::ResultController(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {}

QString ResultController::file() const {
    const RunFacts& facts = parts_.run.facts();
    if (facts.state == RunState::done) return pathText(facts.result.output);
    if (facts.state == RunState::stopped) return pathText(facts.cancelled.output);
    return {};
}

void ResultController::show() {
    const QString video = file();
    if (!video.isEmpty()) return parts_.desktop.showInFolder(video);
    const QDir folder(parts_.preferences.outputFolder());
    folder.mkpath(QStringLiteral("."));
    parts_.desktop.showInFolder(folder.filePath(QStringLiteral(".")));
}

QString ResultController::askName(const QString& title, const QString& proposal, const QString& kind,
                                  const QString& ending) {
    const QString filter = QStringLiteral("%1 (*.%2)").arg(kind, ending);
    const QString chosen = parts_.desktop.askSaveName(title, QDir::home().filePath(proposal), filter);
    return chosen.isEmpty() ? chosen : exportName(chosen, ending);
}

void ResultController::exportNumbers(NumbersExport what) {
    const QString log = pathText(parts_.run.facts().request.output.numeric_log);
    const QString stem = log.isEmpty() ? QStringLiteral("numbers") : QFileInfo(log).completeBaseName();
    const auto ask = [&](const QString& kind, const QString& ending) {
        return askName(tr("Export Numbers"), stem + QLatin1Char('.') + ending, kind, ending);
    };
    if (what == NumbersExport::picture) {
        const QImage picture = parts_.numbers.picture();  // the next job may start while the name is asked
        const QString to = ask(tr("PNG image"), QStringLiteral("png"));
        saveLater(to, [to, picture] { return savePng(to, picture); });
    } else if (what == NumbersExport::csv) {
        const QString to = ask(tr("CSV table"), QStringLiteral("csv"));
        saveLater(to, [log, to] { return saveAsTable(log, to); });
    } else {
        copy(log, ask(tr("JSON Lines"), QStringLiteral("jsonl")));
    }
}

void ResultController::saveFrame() {
    const QImage frame = parts_.player.currentImage();
    if (frame.isNull()) return;
    const QString name = QStringLiteral("frame-%1.png").arg(parts_.player.frame() + 1);
    const QString to = askName(tr("Save frame"), name, tr("PNG image"), QStringLiteral("png"));
    saveLater(to, [to, frame] { return savePng(to, frame); });
}

void ResultController::copy(const QString& from, const QString& to) {
    if (QFileInfo(from) != QFileInfo(to)) saveLater(to, [from, to] { return copyFile(from, to); });
}

void ResultController::saveLater(const QString& to, const std::function<QString()>& save) {
    if (to.isEmpty()) return;
    inPool(this, save, [this, to](const QString& problem) { showResult(problem, to); });
}

void ResultController::showResult(const QString& problem, const QString& to) {
    const QString name = QFileInfo(to).fileName();
    if (problem.isEmpty()) return parts_.notices.show({NoticeTopic::file, Severity::ok, tr("Exported"), name, {}, {}});
    parts_.notices.show({NoticeTopic::file, Severity::error, tr("Can't save %1:").arg(name), problem, {}, {}});
}

}  // namespace kinescope::ui
