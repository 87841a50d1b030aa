#pragma once

#include <QList>
#include <QString>
#include <optional>

#include "core/api/engine.h"

namespace kinescope::ui {

/// A setting that two runs do not share, by its name in a request.
struct SettingDifference {
    QString name;
    QString a;
    QString b;

    bool operator==(const SettingDifference&) const = default;
};

/// What was asked for differently; where files go does not count.
QList<SettingDifference> settingDifferences(const VideoRequest& a, const VideoRequest& b);
/// The same from a report on two logs: "seed: 7 against 8".
QList<SettingDifference> settingDifferences(const CompareReport& logs);

/// A setting as the window calls it: a field of the request, or "Denoiser computes in".
QString settingName(const QString& name);

/// All that is known of two runs.
struct Comparison {
    std::optional<CompareReport> videos;
    std::optional<CompareReport> logs;
    QList<SettingDifference> settings;
    std::optional<double> ssim;  ///< of the pictures as they are shown
};

enum class Agreement { same, agree, part, notComparable };

struct CompareVerdict {
    Agreement agreement = Agreement::agree;
    QString title;
    QString sentence;
};
CompareVerdict compareVerdict(const Comparison& comparison);

/// Where two runs begin to differ, of a report's `first_difference`: "frame 3: 31.2 dB"; "step 3, transformer
/// blocks.4.ffn (cond): max_abs 1 against 2" with the place in words. What is not understood stays as it is.
QString firstDifferenceText(const std::string& words);

/// "infinite" for equal pictures, else "18.4 dB".
QString psnrText(double psnr_db);

/// How far two statistics are apart: "0.12 % of the largest value".
QString relativeText(double relative);

/// "0.9876"; 1 for equal pictures.
QString ssimText(double ssim);

/// The mean SSIM of two clips, frame by frame; nothing when their pictures are of different sizes, or there are none.
std::optional<double> meanSsim(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b);

/// Plain text for a report.
QString comparisonReport(const Comparison& comparison);

}  // namespace kinescope::ui
