#include "core/media/media_input.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/api/error.h"
#include "core/base/damaged_file.h"
#include "core/base/regular_file.h"

namespace kinescope {

namespace {

constexpr const char* kVideoFormats = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,gif";
constexpr const char* kSoundFormats = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,wav,w64,flac,mp3,aac,ogg,aiff,caf,opus";

/// The most bytes that libav allocates at once in this process. Demuxers allocate the lengths that a file states, up to
/// 2 GiB, before they read them.
constexpr std::size_t kLargestBlock = std::size_t{768} << 20;

/// How a format of sound divides a file into chunks: a name of four bytes, the length, and the contents.
struct ChunkFormat {
    int start = 0;  ///< bytes before the first chunk
    int length_bytes = 0;
    std::endian order = std::endian::little;
    std::uintmax_t padding = 1;  ///< the contents are padded to a multiple of 1 or 2 bytes
};

constexpr int kNameBytes = 4;
constexpr ChunkFormat kWave{.start = 12, .length_bytes = 4, .order = std::endian::little, .padding = 2};
constexpr ChunkFormat kCoreAudio{.start = 8, .length_bytes = 8, .order = std::endian::big, .padding = 1};

/// Returns the format of a file; nullopt: it is not divided like this.
std::optional<ChunkFormat> chunk_format_of(const RegularFile& file) {
    const std::string start = file.read(0, static_cast<std::size_t>(kWave.start));
    if (start.starts_with("RIFF") && start.ends_with("WAVE")) return kWave;
    return start.starts_with("caff") ? std::optional(kCoreAudio) : std::nullopt;
}

struct Chunk {
    std::string name;
    std::uintmax_t length = 0;

    bool is_empty() const { return length == 0 && name.find_first_not_of('\0') == name.npos; }
};

std::optional<Chunk> chunk_at(const RegularFile& file, std::uintmax_t offset, const ChunkFormat& format) {
    const auto bytes = static_cast<std::size_t>(kNameBytes + format.length_bytes);
    std::string header = file.read(offset, bytes);
    if (header.size() < bytes) return std::nullopt;
    Chunk chunk{.name = header.substr(0, kNameBytes)};
    if (format.order == std::endian::little) std::reverse(header.begin() + kNameBytes, header.end());
    for (std::size_t i = kNameBytes; i < bytes; ++i)
        chunk.length = chunk.length << 8 | static_cast<unsigned char>(header[i]);
    return chunk;
}

/// Returns where the zeros begin that follow the sound of a WAV or CAF file, as recorders leave them that reserve
/// space; 0: the file has none, or another format.
std::uintmax_t start_of_zeros(const RegularFile& file) {
    constexpr int kMostChunks = 1000;
    constexpr std::uintmax_t kUnknownLength = 0xFFFFFFFF;
    const auto format = chunk_format_of(file);
    if (!format) return 0;
    bool has_sound = false;
    auto at = static_cast<std::uintmax_t>(format->start);
    for (int i = 0; i < kMostChunks; ++i) {
        const auto chunk = chunk_at(file, at, *format);
        if (!chunk) return 0;
        if (has_sound && chunk->is_empty()) return at;
        const bool is_sound = chunk->name == "data";
        if (is_sound && (chunk->length == 0 || chunk->length == kUnknownLength)) return 0;  // it ends with the file
        if (chunk->length > file.size()) return 0;
        has_sound = has_sound || is_sound;
        at += static_cast<std::uintmax_t>(kNameBytes + format->length_bytes) + chunk->length +
              chunk->length % format->padding;
    }
    return 0;
}

/// What libav opens, and the protocols that it may use for it.
struct Source {
    std::string url;
    std::string protocols;
};

/// libav takes every few zeros after the sound of a WAV or CAF file for an empty chunk, which is very slow. They and
/// what follows them are hidden from it.
Source source_of(const std::filesystem::path& file) {
    const std::string url = "file:" + file.string();
    const std::uintmax_t end = start_of_zeros(RegularFile(file));
    if (end == 0) return {url, "file"};
    return {"subfile,,start,0,end," + std::to_string(end) + ",,:" + url, "file,subfile"};
}

/// Opens one of the formats from exactly this file: no playlists, no network. Returns an error of libav, or 0.
int open_format(const std::filesystem::path& file, const char* formats, AvInputPtr& opened) {
    const Source source = source_of(file);
    AvOptions options;
    options.set("format_whitelist", formats);
    options.set("protocol_whitelist", source.protocols.c_str());
    options.set("max_streams", "32");
    av_max_alloc(kLargestBlock);
    AVFormatContext* input = nullptr;
    const int result = avformat_open_input(&input, source.url.c_str(), nullptr, options.address());
    opened.reset(input);
    return result < 0 ? result : 0;
}

/// Returns true for a stream of frames. The cover picture of a song is none.
bool is_video(const AVStream* stream) {
    const bool is_cover = (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !is_cover;
}

bool has_video(const AVFormatContext& input) {
    return std::ranges::any_of(std::span(input.streams, input.nb_streams), is_video);
}

/// Returns true for a sound file. Some of its formats, such as Ogg, can hold videos, too.
bool is_sound(const std::filesystem::path& file) {
    AvInputPtr input;
    return open_format(file, kSoundFormats, input) == 0 && !has_video(*input);
}

AvInputPtr open_input(const std::filesystem::path& file, const char* formats, const Error& refusal) {
    const RegularFile checked(file);  // rejects named pipes, where libav would wait for a writer
    if (checked.size() == 0)
        throw Error(refusal.code(), refusal.message() + "it is empty", refusal.hint(), refusal.arguments());
    route_av_log();
    AvInputPtr input;
    const int result = open_format(file, formats, input);
    if (result == 0) return input;
    if (formats == kVideoFormats && is_sound(file)) throw no_video_stream(file);
    if (result == AVERROR(EINVAL))  // the whitelist of formats
        throw Error(refusal.code(), refusal.message() + "its format is not supported", refusal.hint(),
                    refusal.arguments());
    throw with_reason(refusal, result);
}

/// libav's words do not tell what to do about a file that is not what its name says, or that lacks its end.
std::string reason_text(int result) {
    if (result == AVERROR_INVALIDDATA) return "it is damaged or cut off, or has another format";
    if (result == AVERROR(EIO)) return "it is cut off, or the disk has an error";  // demuxers return both as one
    return av_error_text(result);
}

}  // namespace

Error with_reason(const Error& error, int result) {
    auto arguments = error.arguments();
    if (result == AVERROR_INVALIDDATA || result == AVERROR_EOF) arguments.merge(arguments_of_damage(arguments["path"]));
    return {error.code(), error.message() + reason_text(result), error.hint(), std::move(arguments)};
}

Error no_video_stream(const std::filesystem::path& file) {
    return {ErrorCode::file_unreadable,
            file.string() + " has no video stream; it contains only sound or other data",
            "Use a complete MP4, MOV, MKV, WebM or GIF file with frames.",
            {{"path", file.string()}}};
}

AvInputPtr open_media_input(const std::filesystem::path& file) {
    return open_input(file, kVideoFormats,
                      Error(ErrorCode::file_unreadable, file.string() + " is not a readable video: ",
                            "Use a complete MP4, MOV, MKV, WebM or GIF file.", {{"path", file.string()}}));
}

AvInputPtr open_track_input(const std::filesystem::path& file) {
    return open_input(
        file, kSoundFormats,
        Error(ErrorCode::file_unreadable, file.string() + " is not a readable audio file: ",
              "Use a WAV, FLAC, MP3, M4A or OGG file, or a video with sound.", {{"path", file.string()}}));
}

int best_video_stream(AVFormatContext& input) {
    const int best = av_find_best_stream(&input, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (best < 0 || is_video(input.streams[best])) return best;
    const std::span streams(input.streams, input.nb_streams);
    const auto first = std::ranges::find_if(streams, is_video);
    return first == streams.end() ? -1 : (*first)->index;
}

std::int64_t decoder_limit(std::int64_t max_pixels) {
    constexpr std::int64_t kPadding = 63;  // of a row or column: superblocks and vectors of 64
    constexpr std::int64_t kLongestSide = 65536;
    return max_pixels + 2 * kPadding * kLongestSide;
}

int find_stream_info(AVFormatContext& input, std::int64_t max_pixels) {
    std::vector<AVDictionary*> options(input.nb_streams, nullptr);
    for (AVDictionary*& entry : options) {
        av_dict_set_int(&entry, "max_pixels", decoder_limit(max_pixels), 0);
        av_dict_set(&entry, "threads", "1", 0);
    }
    const int result = avformat_find_stream_info(&input, options.data());
    for (AVDictionary*& entry : options) av_dict_free(&entry);
    return result;
}

}  // namespace kinescope
