#include "ui/models/file_checker.h"

#include <QFileInfo>

#include "ui/text/words.h"

namespace kinescope::ui {

FileChecker::FileChecker(EngineInspector& inspector, QObject* parent) : QObject(parent), inspector_(inspector) {
    const auto isMine = [this](const std::string& file) {
        return isRunning() && files_.value(behind_).toStdString() == file;
    };
    connect(&inspector_, &EngineInspector::checkProgressed, this,
            [this, isMine](const std::string& file, double share) {
                if (!isMine(file)) return;
                facts_.share = (behind_ + share) / static_cast<double>(files_.size());
                Q_EMIT changed();
            });
    connect(&inspector_, &EngineInspector::fileChecked, this, [this, isMine](const FileCheck& check) {
        if (!isMine(check.file.string())) return;
        ++behind_;
        next();
    });
    connect(&inspector_, &EngineInspector::checkFailed, this,
            [this, isMine](const std::string& file, const Error& error) {
                if (isMine(file)) end({.phase = CheckFacts::Phase::failed, .model = facts_.model, .error = error});
            });
}

FileChecker::~FileChecker() {
    if (isRunning()) inspector_.stopCheck(check_);
}

void FileChecker::start(const ModelEntry& entry) {
    stop();
    files_ = filesOfWeights(entry);
    behind_ = 0;
    if (files_.isEmpty()) return;
    facts_ = {.phase = CheckFacts::Phase::running, .model = QString::fromStdString(entry.card.id)};
    next();
}

void FileChecker::stop() {
    if (!isRunning()) return;
    inspector_.stopCheck(check_);
    end({});
}

void FileChecker::next() {
    if (behind_ == files_.size()) {
        const QString model = facts_.model;
        end({});
        Q_EMIT finished(model);
        return;
    }
    facts_.file = QFileInfo(files_[behind_]).fileName();
    facts_.share = behind_ / static_cast<double>(files_.size());
    check_ = inspector_.askCheck(files_[behind_].toStdString());
    Q_EMIT changed();
}

void FileChecker::end(CheckFacts facts) {
    facts_ = std::move(facts);
    Q_EMIT changed();
}

QStringList filesOfWeights(const ModelEntry& entry) {
    QStringList files;
    if (!entry.description) return files;
    for (const ComponentDescription& part : entry.description->components)
        if (part.num_tensors > 0)
            for (const auto& file : part.files) files << QString::fromStdString(file.string());
    files.removeDuplicates();
    return files;
}

}  // namespace kinescope::ui
