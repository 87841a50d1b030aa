#pragma once

#include <QObject>
#include <QStringList>
#include <optional>

#include "ui/bridge/engine_inspector.h"
#include "ui/text/model_words.h"

namespace kinescope::ui {

/// State of the file check of a model.
struct CheckFacts {
    enum class Phase { idle, running, failed };
    Phase phase = Phase::idle;
    QString model;     ///< its id
    QString file;      ///< name of the current file
    double share = 0;  ///< checked share of all files, 0 to 1
    std::optional<Error> error;
};

/// Verifies the weight files of one model in the background. The engine stores the results before `finished` is
/// emitted.
class FileChecker : public QObject {
    Q_OBJECT

public:
    explicit FileChecker(EngineInspector& inspector, QObject* parent = nullptr);
    /// Stops a running check.
    ~FileChecker() override;

    /// Checks every weight file once. Stops a running check first.
    void start(const ModelEntry& entry);
    void stop();
    const CheckFacts& facts() const { return facts_; }
    bool isRunning() const { return facts_.phase == CheckFacts::Phase::running; }

Q_SIGNALS:
    void changed();
    void finished(const QString& model);

private:
    void next();
    void end(CheckFacts facts);

    EngineInspector& inspector_;
    CheckFacts facts_;
    QStringList files_;
    int behind_ = 0;     ///< number of files that have been checked
    CheckId check_ = 0;  ///< of the current file
};

/// Returns the weight files of a model, without duplicates.
QStringList filesOfWeights(const ModelEntry& entry);

}  // namespace kinescope::ui
