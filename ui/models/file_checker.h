#pragma once

#include <QObject>
#include <QStringList>
#include <optional>

#include "ui/bridge/engine_inspector.h"
#include "ui/models/model_words.h"

namespace kinescope::ui {

/// The check of a model's files as it is shown.
struct CheckFacts {
    enum class Phase { idle, running, failed };
    Phase phase = Phase::idle;
    QString model;     ///< its id
    QString file;      ///< that is read, by its name
    double share = 0;  ///< of all files that is behind it, 0 to 1
    std::optional<Error> error;
};

/// Reads the files of one model after the other from end to end, in the background; what is found lies with the engine
/// when `finished` tells of it. One model at a time.
class FileChecker : public QObject {
    Q_OBJECT

public:
    explicit FileChecker(EngineInspector& inspector, QObject* parent = nullptr);
    /// Stops.
    ~FileChecker() override;

    /// Every file of weights, once. A check that is under way is stopped.
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
    int behind_ = 0;  ///< files that are read
    StopFlag stop_;
};

/// The files of weights of a model, each once.
QStringList filesOfWeights(const ModelEntry& entry);

}  // namespace kinescope::ui
