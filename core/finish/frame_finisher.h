#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "core/api/frame.h"
#include "core/finish/finish_plan.h"
#include "core/finish/interpolator.h"
#include "core/finish/result_check.h"
#include "core/finish/scene_cut.h"
#include "core/finish/tiled_upscaler.h"
#include "core/finish/timeline.h"

namespace kinescope {

/// The opened networks of the steps.
struct FinishNetworks {
    Device device = Device(at::kCPU);
    std::optional<LoadedUpscaler> upscaler;
    std::optional<LoadedInterpolator> interpolator;
};

/// Opens the files of the steps. Throws the errors of load_upscaler and load_interpolator.
FinishNetworks load_networks(const FinishSteps& steps, const Device& device);

/// Returns the enlargement of the opened upscaler; 1 without one.
int network_scale(const FinishNetworks& networks);

/// How a finisher reports.
struct FinishHooks {
    std::function<void(const FramePtr&)> write;  ///< receives the frames of the result, in order
    /// Called after each tile and each flow block. May throw to stop.
    std::function<void()> between_parts;
};

/// The start of a result that exists already.
struct SavedStart {
    int num_frames = 0;
    double tile_difference = 0;  ///< of these frames
};

/// Applies the steps of a plan to the frames of a video, one after the other. Holds two frames of the source, and
/// computes only what a frame of the result needs.
class FrameFinisher {
public:
    /// The frames of `saved` are counted but neither computed nor written.
    FrameFinisher(FinishPlan plan, FinishNetworks networks, TileSize tiles, FinishHooks hooks,
                  const SavedStart& saved = {});

    /// Takes the next frame of the source. `seconds`: when it is shown; used only for variable timing. Throws
    /// Error(file_unreadable) for a frame of another size than the plan's source and for the gaps that Timeline
    /// refuses, and NumericError for results that are not finite or have lost the contrast of their source.
    void push(const FramePtr& frame, double seconds);
    /// Call it after the last frame.
    void end();

    /// Frames of the result so far, with the saved ones.
    int num_written() const { return num_written_; }
    int num_scene_cuts() const { return num_scene_cuts_; }
    /// Of the frames so far, with the saved ones. See TiledUpscaler::tile_difference.
    double tile_difference() const {
        return std::max(saved_.tile_difference, upscaler_ ? upscaler_->tile_difference() : 0);
    }
    /// The tiles in use, which are smaller than at first if the device ran out of memory.
    TileSize tiles() const { return upscaler_ ? upscaler_->tiles() : TileSize{}; }

private:
    /// A frame of the source and what the steps know of it.
    struct Source {
        FramePtr frame;
        FrameLevels levels;
        double position = 0;
        Tensor picture = {};      ///< see picture_of_source
        bool is_encoded = false;  ///< the interpolator has it
    };

    Source described(const FramePtr& frame, double seconds);
    const Tensor& picture_of_source(Source& source);
    void give_to_interpolator(Source& source);
    void write_between(Source& next);
    void write_last();
    bool is_saved();
    Tensor interpolated(Source& next, double way);
    void write(const Tensor& picture, const FrameLevels& source, ComputedBy step);
    Tensor enlarged(const Tensor& picture);
    bool upscales(FinishOrder order) const { return upscaler_ && plan_.order == order; }

    FinishPlan plan_;
    std::optional<TiledUpscaler> upscaler_;
    std::optional<Interpolator> interpolator_;
    FinishHooks hooks_;
    Timeline timeline_;
    std::optional<Source> last_;
    std::optional<double> start_;  ///< seconds of the first frame
    Tensor shown_;                 ///< the picture written last, and its frame
    FramePtr shown_frame_;
    const SavedStart saved_;
    int num_taken_ = 0;
    int num_written_ = 0;
    int num_scene_cuts_ = 0;
};

}  // namespace kinescope
