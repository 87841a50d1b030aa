#pragma once

#include <QList>
#include <QString>
#include <optional>

#include "core/api/engine.h"

namespace kinescope::ui {

/// A setting that differs between two runs, with its values in words.
struct SettingDifference {
    QString name;  ///< of a field of the request, or of a component
    QString a;
    QString b;
    SettingAspect aspect = SettingAspect::field;

    bool operator==(const SettingDifference&) const = default;
};

/// Returns the settings in which two requests differ, except the output paths.
QList<SettingDifference> settingDifferences(const VideoRequest& a, const VideoRequest& b);
/// Returns the settings that differ between two logs, except the output paths.
QList<SettingDifference> settingDifferences(const CompareReport& logs);

/// Returns the label of a setting: a field of the request, or "Denoiser, compute precision".
QString settingName(const SettingDifference& setting);

/// The results of comparing two runs.
struct Comparison {
    std::optional<CompareReport> videos;
    std::optional<CompareReport> logs;
    QList<SettingDifference> settings;
    std::optional<double> ssim;  ///< of the displayed frames
};

enum class Agreement { same, agree, part, notComparable };

struct CompareVerdict {
    Agreement agreement = Agreement::agree;
    QString title;
    QString sentence;
};
CompareVerdict compareVerdict(const Comparison& comparison);

/// Describes the first difference: "frame 3: 31.2 dB" or "step 3, block 4, feed-forward output: peak 1 vs. 2".
QString firstDifferenceText(const FirstDifference& difference);

/// Formats a PSNR: "18.4 dB", or "∞ (identical)".
QString psnrText(double psnr_db);

/// Formats a relative difference: "0.12 % of the largest value".
QString relativeText(double relative);

/// Formats a similarity from 0 to 1 with four decimals: "0.9876".
QString ssimText(double ssim);

/// Returns the mean SSIM of the frames of two clips, or nullopt if the frame sizes differ or a clip is empty.
std::optional<double> meanSsim(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b);

/// Returns the comparison as plain text.
QString comparisonReport(const Comparison& comparison);

}  // namespace kinescope::ui
