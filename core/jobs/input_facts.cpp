#include "core/jobs/input_facts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>

#include "core/api/video_parts.h"
#include "core/media/frame_source.h"
#include "core/pipeline/input_video.h"

namespace kinescope {

namespace {

/// Returns the largest number of frames, up to `most`, that the model can make; 1 if there is no smaller one.
int most_frames(const ModelCard& card, int most) {
    const int multiple = std::max(1, card.num_frames_multiple);
    return std::max(1, (most - card.num_frames_offset) / multiple * multiple + card.num_frames_offset);
}

/// An estimate does not limit a request: it is of a very large file, which is read as far as the request needs.
bool has_frames(const ClipPart& part, int wanted) {
    return part.count == FrameCount::estimated || part.num_total >= wanted;
}

/// Refuses a file of a field that has too few frames. `others`: what else would help.
[[noreturn]] void refuse_frames(const std::string& field, const std::filesystem::path& file, int frames, int wanted,
                                int most, const std::string& others) {
    const std::string message = field + ": " + file.string() + " contains " + std::to_string(frames) +
                                (frames == 1 ? " frame" : " frames") + ", and num_frames is " + std::to_string(wanted) +
                                "; use a longer " + field + ", " + others + "or num_frames " + std::to_string(most);
    throw bad_request({{"num_frames", message, std::to_string(most)}});
}

bool is_upright(Size size) {
    return size.height > size.width;
}

/// Models take multiples of a few pixels, so small differences of the aspect ratio cannot be avoided.
bool is_stretched(Size from, Size to) {
    constexpr double kVisible = 0.05;
    const double change = static_cast<double>(from.width) * to.height / (static_cast<double>(from.height) * to.width);
    return std::abs(std::log(change)) > kVisible;
}

/// "29.97".
std::string text_of(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
}

std::string text_of(Size size) {
    return std::to_string(size.width) + " x " + std::to_string(size.height) + " px";
}

/// The sound of a mask or of a control video belongs to no picture of the result.
bool misses_sound(const VideoRequest& asked, const std::filesystem::path& file, VideoUse use) {
    const bool is_control = asked.control != ControlSource::ready || (use == VideoUse::control && !asked.mask);
    return file != asked.mask && (file != asked.video || !is_control);
}

/// Returns true for a picture or video to which VideoRequest::image_fit applies.
bool is_fitted(const VideoRequest& asked, const std::filesystem::path& file) {
    return file == asked.image || file == asked.last_image ||
           std::ranges::find(asked.conditions, file, &FrameCondition::file) != asked.conditions.end();
}

std::string note_about_length(int used, int total, const std::filesystem::path& video) {
    const std::string frames =
        used == 1 ? "Only the first of the " + std::to_string(total) + " frames of " + video.string() + " is used"
                  : "The first " + std::to_string(used) + " of the " + std::to_string(total) + " frames of " +
                        video.string() + " are used";
    return frames + ", the largest number that the model can make of them by default.";
}

void set_fps(VideoRequest& request, const ClipPart& part) {
    if (!request.fps) request.fps = whole_fps(part.fps);
}

/// The frames of a continued video are copied, so another frame rate would change its speed.
void refuse_other_fps(const VideoRequest& request, const ClipPart& part) {
    const auto fps = whole_fps(part.fps);
    if (!fps || !request.fps || *request.fps == *fps) return;
    throw bad_request({{"fps",
                        "fps is " + std::to_string(*request.fps) + ", but the video to continue has " +
                            std::to_string(*fps) + " frames per second, which the whole result keeps",
                        std::to_string(*fps)}});
}

/// Turns the model's default size if the video is upright and the size is not, or the other way round.
void follow_orientation(VideoRequest& request, const ModelCard& card, const ClipPart& part) {
    if (request.width || request.height || part.frames.empty()) return;
    const Size size = card.default_size;
    const Size video{part.frames.front()->width, part.frames.front()->height};
    if (video.width == video.height || is_upright(size) == is_upright(video)) return;
    request.width = size.height;
    request.height = size.width;
}

/// Returns the size of the card that a picture fits best, among those with about as many pixels as the default.
Size fitting_size(const ModelCard& card, Size picture) {
    constexpr double kMostChange = 0.25;
    const auto pixels = [](Size size) { return static_cast<double>(size.width) * size.height; };
    const auto difference = [&](Size size) {
        return std::abs(std::log(static_cast<double>(picture.width) * size.height) -
                        std::log(static_cast<double>(picture.height) * size.width));
    };
    Size best = card.default_size;
    for (const Size& size : card.sizes)
        if (std::abs(pixels(size) / pixels(card.default_size) - 1) <= kMostChange &&
            difference(size) < difference(best))
            best = size;
    return best;
}

/// Selects the size by the aspect ratio of the first picture that has a place in the video.
void follow_picture(VideoRequest& request, const ModelCard& card, const ReadClip& read) {
    if (request.width || request.height || request.video || request.continue_video) return;
    std::optional<std::filesystem::path> file = request.image ? request.image : request.last_image;
    if (!file && card.takes_conditions && !request.conditions.empty()) file = request.conditions.front().file;
    if (!file || (!names_pictures(*file) && !names_video(*file))) return;
    const ClipPart part = read(*file, 0);
    if (part.frames.empty()) return;
    const Size size = fitting_size(card, {part.frames.front()->width, part.frames.front()->height});
    if (size == card.default_size) return;
    request.width = size.width;
    request.height = size.height;
}

/// Returns the first part of a video; without frames if the file is missing, because a resumed job may no longer need
/// it.
ClipPart first_part(const ReadClip& read, const std::filesystem::path& video) {
    ClipPart part = read(video, 0);
    std::error_code ignored;
    if (part.frames.empty() && std::filesystem::exists(video, ignored)) throw no_readable_frame(video);
    return part;
}

void use_input_video(VideoRequest& request, const ModelCard& card, const ReadClip& read) {
    const ClipPart part = first_part(read, *request.video);
    if (part.frames.empty()) return;
    const int most = most_frames(card, has_frames(part, card.max_num_frames) ? card.max_num_frames : part.num_total);
    if (!request.num_frames) request.num_frames = std::min(most, card.default_num_frames);
    if (!has_frames(part, *request.num_frames))
        refuse_frames("video", *request.video, part.num_total, *request.num_frames, most, "");
    follow_orientation(request, card, part);
    set_fps(request, part);
}

/// A single picture is a mask for all frames.
void check_mask(const VideoRequest& request, const ModelCard& card, const ReadClip& read) {
    const ClipPart part = first_part(read, *request.mask);
    if (part.frames.empty() || part.num_total == 1 || has_frames(part, *request.num_frames)) return;
    refuse_frames("mask", *request.mask, part.num_total, *request.num_frames, most_frames(card, part.num_total),
                  "a single picture for all frames, ");
}

/// Returns the multiple that is nearest to a side of the video.
int fitting_side(int side, const ModelCard& card) {
    const int multiple = std::max(1, card.size_multiple);
    return std::clamp((side + multiple / 2) / multiple * multiple, multiple, std::max(multiple, card.max_side));
}

/// Selects the size that is nearest to that of the video to continue.
void follow_continued(VideoRequest& request, const ModelCard& card, const ClipPart& part) {
    if (request.width || request.height || part.frames.empty()) return;
    request.width = fitting_side(part.frames.front()->width, card);
    request.height = fitting_side(part.frames.front()->height, card);
}

void use_continued_video(VideoRequest& request, const ModelCard& card, const ReadClip& read) {
    const ClipPart part = first_part(read, *request.continue_video);
    if (part.frames.empty()) return;
    follow_continued(request, card, part);
    refuse_other_fps(request, part);
    set_fps(request, part);
}

/// Sets the number of frames that a condition video contributes: as many as the result has room for, and as many as
/// whole latent frames hold.
void count_frames(FrameCondition& condition, const VideoRequest& request, const ModelCard& card, const ReadClip& read) {
    if (!names_video(condition.file)) return;
    const ClipPart part = first_part(read, condition.file);
    if (part.frames.empty()) return;
    const int room = request.num_frames.value_or(card.default_num_frames) - std::max(0, condition.frame_index);
    const int wanted = condition.num_frames > 0 ? std::min(condition.num_frames, room) : room;
    condition.num_frames = most_frames(card, std::max(1, has_frames(part, wanted) ? wanted : part.num_total));
}

}  // namespace

VideoRequest with_video_facts(VideoRequest request, const ModelCard& card, const ReadClip& read) {
    if (request.video && card.video_use != VideoUse::none) use_input_video(request, card, read);
    if (request.mask && request.num_frames && card.video_use == VideoUse::control) check_mask(request, card, read);
    if (request.continue_video && card.continuation != Continuation::none) use_continued_video(request, card, read);
    if (card.takes_conditions)
        for (FrameCondition& condition : request.conditions) count_frames(condition, request, card, read);
    follow_picture(request, card, read);
    return request;
}

Size input_size(VideoRequest request, const ModelCard& card, const ReadClip& read) {
    request.width.reset();
    request.height.reset();
    if (request.video && card.video_use != VideoUse::none) follow_orientation(request, card, read(*request.video, 0));
    if (request.continue_video && card.continuation != Continuation::none)
        follow_continued(request, card, read(*request.continue_video, 0));
    follow_picture(request, card, read);
    return {request.width.value_or(card.default_size.width), request.height.value_or(card.default_size.height)};
}

ClipPart NotingReader::operator()(const std::filesystem::path& video, int first) {
    ClipPart part = read_(video, first);
    if (!part.frames.empty())
        noted_[video] = {.traits = part.traits,
                         .size = {part.frames.front()->width, part.frames.front()->height},
                         .num_frames = part.num_total,
                         .count = part.count,
                         .fps = part.fps};
    return part;
}

int NotingReader::num_frames(const std::filesystem::path& video) const {
    const auto noted = noted_.find(video);
    return noted == noted_.end() ? 0 : noted->second.num_frames;
}

FrameCount NotingReader::how_counted(const std::filesystem::path& video) const {
    const auto noted = noted_.find(video);
    return noted == noted_.end() ? FrameCount::exact : noted->second.count;
}

std::int64_t NotingReader::most_reading_bytes() const {
    std::int64_t most = 0;
    for (const auto& [video, noted] : noted_)
        most = std::max(most, reading_bytes(noted.size.width, noted.size.height, noted.num_frames));
    return most;
}

std::vector<std::string> NotingReader::notes(const VideoRequest& asked, const ResolvedContent& result,
                                             VideoUse use) const {
    std::vector<std::string> notes;
    const Size size{result.width, result.height};
    for (const auto& [video, noted] : noted_) {
        const bool is_continued = video == asked.continue_video;
        for (const ClipTrait trait : noted.traits)
            if (trait == ClipTrait::transparent && video == asked.mask)
                notes.push_back(video.string() + " has transparent parts; as a mask, they are black.");
            else if (trait != ClipTrait::sound || misses_sound(asked, video, use))
                notes.push_back(note_about(trait, video));
        const bool is_cropped = result.image_fit == ImageFit::crop && is_fitted(asked, video);
        if (is_stretched(noted.size, size))
            notes.push_back(is_cropped ? video.string() + " is cropped from " + text_of(noted.size) +
                                             " to the aspect ratio of the result, " + text_of(size) + "."
                                       : "The frames of " + video.string() + " are stretched from " +
                                             text_of(noted.size) + " to " + text_of(size) + ".");
        else if (is_continued && !asked.width && noted.size != size)
            notes.push_back("The frames of " + video.string() + " are resized from " + text_of(noted.size) + " to " +
                            text_of(size) + ", the nearest size that the model can make.");
        if (video == asked.video && !asked.width && !asked.height && is_upright(noted.size) && is_upright(size))
            notes.push_back("The size is " + text_of(size) + ", because " + video.string() + " is upright.");
        if (video == asked.video && !asked.num_frames && result.num_frames < noted.num_frames)
            notes.push_back(note_about_length(result.num_frames, noted.num_frames, video));
        if ((is_continued || video == asked.video) && !asked.fps && std::abs(noted.fps - result.fps) > 0.005)
            notes.push_back(noted.fps > 0 ? "The frame rate of " + video.string() + " is " + text_of(noted.fps) +
                                                "; that of the result is " + std::to_string(result.fps) + "."
                                          : video.string() + " has no frame rate; that of the result is " +
                                                std::to_string(result.fps) + ".");
    }
    return notes;
}

}  // namespace kinescope
