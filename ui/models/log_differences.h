#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// How far one block of one step is from the other run's.
struct BlockDifference {
    int block = 0;        ///< row: blocks in the order in which they run
    int step = 0;         ///< 0-based
    double relative = 0;  ///< the largest of minimum, maximum, mean and deviation, to the larger of both max |x|
    QString site;         ///< where in the block
};

/// The latents after one step of both runs, sorted into the same bins. Empty bins: a log without them.
struct LatentsPair {
    QList<qint64> a;
    QList<qint64> b;
    double low = 0;
    double high = 0;
};

/// Two numeric logs, as the plots of the Compare page show them.
struct LogDifferences {
    QStringList blocks;  ///< "blocks.0", "blocks.1" ...
    int numSteps = 0;
    QList<BlockDifference> cells;  ///< what both runs looked at
    QList<LatentsPair> latents;    ///< by step
};

/// Pure. Attempts that were made again count by their last; lines that are no records are passed over.
LogDifferences logDifferences(const QByteArray& a, const QByteArray& b);

/// How many of the leading binary digits agree: 24, all of float32's, for no difference; 0 for one as large as the
/// values.
double sharedBits(double relative);

}  // namespace kinescope::ui
