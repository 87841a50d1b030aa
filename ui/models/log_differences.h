#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// The difference of one block in one step.
struct BlockDifference {
    int block = 0;  ///< row; blocks in execution order
    int step = 0;   ///< 0-based
    /// Largest difference of minimum, maximum, mean and deviation, relative to the larger max |x|.
    double relative = 0;
    QString site;  ///< site with the largest difference
};

struct BlockStep {
    int block = 0;  ///< row; blocks in execution order
    int step = 0;   ///< 0-based

    auto operator<=>(const BlockStep&) const = default;
};

/// Histograms of the latents of both runs after one step, with the same bins. Without bins if a log has no histogram.
struct LatentsPair {
    QList<qint64> a;
    QList<qint64> b;
    double low = 0;
    double high = 0;
};

/// The differences of two numeric logs, for the plots of the Compare page.
struct LogDifferences {
    QStringList blocks;  ///< "blocks.0", "blocks.1" ...
    int numSteps = 0;
    QList<BlockDifference> cells;  ///< sites that both logs contain
    QList<BlockStep> otherSize;    ///< sites that both logs contain, all with tensors that differ in size
    QList<LatentsPair> latents;    ///< index: step
};

/// Compares two numeric logs. Uses the last attempt of each step and ignores lines that are not records.
LogDifferences logDifferences(const QByteArray& a, const QByteArray& b);

/// Returns the number of matching leading bits: 24 (all bits of float32) if there is no difference, 0 if the difference
/// is as large as the values.
double sharedBits(double relative);

}  // namespace kinescope::ui
