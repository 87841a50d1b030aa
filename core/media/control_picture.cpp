#include "core/media/control_picture.h"

#include <opencv2/imgproc.hpp>

namespace kinescope {
namespace {

/// Gradients of 8-bit values, as usual for ControlNet: edges begin above the high one and continue above the low one.
constexpr double kLowGradient = 100;
constexpr double kHighGradient = 200;
/// Noise below this size, in px, makes no edges.
constexpr double kBlurDeviation = 1.0;

cv::Mat edges_of(const cv::Mat& gray) {
    cv::Mat smooth;
    cv::GaussianBlur(gray, smooth, cv::Size(), kBlurDeviation);
    cv::Mat edges;
    cv::Canny(smooth, edges, kLowGradient, kHighGradient);
    return edges;
}

}  // namespace

Frame control_picture(Frame frame, ControlSource source) {
    if (source == ControlSource::ready || source == ControlSource::flow) return frame;
    cv::Mat picture(frame.height, frame.width, CV_8UC3, frame.pixels.data());
    cv::Mat gray;
    cv::cvtColor(picture, gray, cv::COLOR_RGB2GRAY);
    cv::cvtColor(source == ControlSource::edges ? edges_of(gray) : gray, picture, cv::COLOR_GRAY2RGB);
    return frame;
}

}  // namespace kinescope
