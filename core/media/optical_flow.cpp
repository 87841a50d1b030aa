#include "core/media/optical_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "core/api/error.h"

namespace kinescope {
namespace {

using Plane = cv::Mat_<float>;

/// The paper's lambda: the weight of equal colors, from 0 to 255, relative to that of smooth motion.
constexpr float kDataWeight = 0.05F;
/// The paper's theta: how closely the motion that matches the colors and the smooth motion are coupled.
constexpr float kTightness = 0.3F;
constexpr float kTimeStep = 0.25F;
/// The frame is halved while its shorter side has at least this many pixels.
constexpr int kShortestSide = 16;
constexpr int kMostLevels = 8;
/// Levels of frames with more pixels are computed in half their size: a quarter of the time, and edges of motion stay
/// exact to 2 px.
constexpr int kMostPixels = 128 * 128;
constexpr int kNumWarps = 5;
constexpr int kNumIterations = 30;
constexpr int kMedianSize = 5;
/// The color of a pixel whose squared gradient is smaller says little about the motion.
constexpr float kFlat = 3;
/// Weight of zero motion in flat regions, relative to that of smooth motion, times the shorter side of the frame. It is
/// large enough for a plain background to stand still around a moving object, and small enough for the plain inside of
/// an object to move with its edges, unless the object nearly fills the frame.
constexpr float kRestWeight = 5;

struct Field {
    Plane x;
    Plane y;
};

/// Red, green and blue: things of another color may have the same gray.
using Colors = std::array<Plane, 3>;

Colors colors_of(const Frame& frame) {
    const cv::Mat picture(frame.height, frame.width, CV_8UC3, const_cast<std::uint8_t*>(frame.pixels.data()));  // read
    cv::Mat values;
    picture.convertTo(values, CV_32F);
    Colors colors;
    cv::split(values, colors.data());
    return colors;
}

/// Returns the frame in its own size and each half of it.
std::vector<Colors> pyramid_of(const Frame& frame) {
    std::vector<Colors> levels{colors_of(frame)};
    while (std::min(levels.back()[0].rows, levels.back()[0].cols) >= 2 * kShortestSide &&
           static_cast<int>(levels.size()) < kMostLevels) {
        Colors half;
        for (std::size_t c = 0; c < half.size(); ++c) cv::pyrDown(levels.back()[c], half[c]);
        levels.push_back(half);
    }
    return levels;
}

Plane in_size(const Plane& values, cv::Size size, float scale) {
    Plane resized;
    cv::resize(values, resized, size, 0, 0, cv::INTER_LINEAR);
    return resized * scale;
}

void scale_to(Field& motion, cv::Size size) {
    const auto width = static_cast<float>(size.width) / static_cast<float>(motion.x.cols);
    const auto height = static_cast<float>(size.height) / static_cast<float>(motion.y.rows);
    motion = {in_size(motion.x, size, width), in_size(motion.y, size, height)};
}

Plane moved(const Plane& frame, const Field& motion) {
    Plane x(frame.size());
    Plane y(frame.size());
    for (int row = 0; row < frame.rows; ++row)
        for (int column = 0; column < frame.cols; ++column) {
            x(row, column) = static_cast<float>(column) + motion.x(row, column);
            y(row, column) = static_cast<float>(row) + motion.y(row, column);
        }
    Plane result;
    cv::remap(frame, result, x, y, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    return result;
}

Plane derivative(const Plane& frame, int dx, int dy) {
    Plane result;
    cv::Sobel(frame, result, CV_32F, dx, dy, 1, 0.5, 0, cv::BORDER_REPLICATE);  // central difference
    return result;
}

/// The linear model of how far the moved frame differs, for motions near `motion`.
struct Data {
    Plane slope_x;
    Plane slope_y;
    Plane offset;
};

Data data_near(const Plane& from, const Plane& to, const Field& motion) {
    const Plane warped = moved(to, motion);
    Data data{.slope_x = derivative(warped, 1, 0), .slope_y = derivative(warped, 0, 1), .offset = warped - from};
    data.offset -= data.slope_x.mul(motion.x) + data.slope_y.mul(motion.y);
    return data;
}

/// Changes the motion of each pixel toward one that matches the colors.
void follow_data(const std::array<Data, 3>& data, Field& motion) {
    constexpr float kLongest = kDataWeight * kTightness;
    const float rest = kRestWeight * kTightness / static_cast<float>(std::min(motion.x.rows, motion.x.cols));
    for (int row = 0; row < motion.x.rows; ++row) {
        float* x = motion.x[row];
        float* y = motion.y[row];
        for (int i = 0; i < motion.x.cols; ++i) {
            float squares = 0;
            for (const Data& color : data) {
                const float slope_x = color.slope_x[row][i];
                const float slope_y = color.slope_y[row][i];
                const float square = slope_x * slope_x + slope_y * slope_y;
                const float difference = color.offset[row][i] + slope_x * x[i] + slope_y * y[i];
                const float step = square > 0 ? std::clamp(-difference / square, -kLongest, kLongest) : 0.0F;
                x[i] += step * slope_x;
                y[i] += step * slope_y;
                squares += square;
            }
            if (squares >= kFlat) continue;
            x[i] -= std::clamp(x[i], -rest, rest);
            y[i] -= std::clamp(y[i], -rest, rest);
        }
    }
}

/// Smooths one component: adds the divergence of the dual field, and follows the gradient with the dual field.
void smooth(Plane& motion, Field& dual) {
    const int width = motion.cols;
    for (int row = 0; row < motion.rows; ++row) {
        float* values = motion[row];
        const float* x = dual.x[row];
        const float* y = dual.y[row];
        const float* y_above = row > 0 ? dual.y[row - 1] : nullptr;
        for (int i = 0; i < width; ++i) {
            const float divergence = x[i] - (i > 0 ? x[i - 1] : 0) + y[i] - (y_above ? y_above[i] : 0);
            values[i] += kTightness * divergence;
        }
    }
    for (int row = 0; row < motion.rows; ++row) {
        const float* values = motion[row];
        const float* below = row + 1 < motion.rows ? motion[row + 1] : values;
        float* x = dual.x[row];
        float* y = dual.y[row];
        for (int i = 0; i < width; ++i) {
            const float change_x = i + 1 < width ? values[i + 1] - values[i] : 0;
            const float change_y = below[i] - values[i];
            constexpr float kStep = kTimeStep / kTightness;
            const float shrink = 1 / (1 + kStep * std::sqrt(change_x * change_x + change_y * change_y));
            x[i] = (x[i] + kStep * change_x) * shrink;
            y[i] = (y[i] + kStep * change_y) * shrink;
        }
    }
}

void refine(const Colors& from, const Colors& to, Field& motion) {
    const cv::Size size = motion.x.size();
    Field dual_x{Plane::zeros(size), Plane::zeros(size)};
    Field dual_y{Plane::zeros(size), Plane::zeros(size)};
    for (int warp = 0; warp < kNumWarps; ++warp) {
        const std::array<Data, 3> data{data_near(from[0], to[0], motion), data_near(from[1], to[1], motion),
                                       data_near(from[2], to[2], motion)};
        for (int i = 0; i < kNumIterations; ++i) {
            follow_data(data, motion);
            smooth(motion.x, dual_x);
            smooth(motion.y, dual_y);
        }
        cv::medianBlur(motion.x.clone(), motion.x, kMedianSize);
        cv::medianBlur(motion.y.clone(), motion.y, kMedianSize);
    }
}

}  // namespace

std::vector<Motion> optical_flow(const Frame& from, const Frame& to) {
    if (from.width != to.width || from.height != to.height)
        throw Error(ErrorCode::internal, "optical flow between frames of different sizes");
    const std::vector<Colors> first = pyramid_of(from);
    const std::vector<Colors> second = pyramid_of(to);
    const std::size_t finest = first.size() > 1 && from.width * from.height > kMostPixels ? 1 : 0;
    Field motion{Plane::zeros(first.back()[0].size()), Plane::zeros(first.back()[0].size())};
    for (std::size_t level = first.size(); level-- > finest;) {
        scale_to(motion, first[level][0].size());
        refine(first[level], second[level], motion);
    }
    scale_to(motion, {from.width, from.height});
    std::vector<Motion> motions;
    motions.reserve(motion.x.total());
    for (int row = 0; row < motion.x.rows; ++row)
        for (int column = 0; column < motion.x.cols; ++column)
            motions.push_back({motion.x(row, column), motion.y(row, column)});
    return motions;
}

}  // namespace kinescope
