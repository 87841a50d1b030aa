#include "core/api/gpu_support.h"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "core/api/byte_size.h"

namespace kinescope::cli {
namespace {

std::string state_name(GpuSupportState state) {
    switch (state) {
        case GpuSupportState::not_installed:
            return "not_installed";
        case GpuSupportState::partly_downloaded:
            return "partly_downloaded";
        case GpuSupportState::installed:
            return "installed";
    }
    return {};
}

std::string state_text(GpuSupportState state) {
    switch (state) {
        case GpuSupportState::not_installed:
            return "not installed";
        case GpuSupportState::partly_downloaded:
            return "partly downloaded";
        case GpuSupportState::installed:
            return "installed";
    }
    return {};
}

std::vector<DeviceInfo> cards_of(const Session& session) {
    std::vector<DeviceInfo> cards = make_quiet_engine(session)->diagnostics().devices();
    std::erase_if(cards, [](const DeviceInfo& device) { return !device.id.starts_with("cuda"); });
    return cards;
}

GpuSupportManifest read_manifest(const Session& session, const std::string& index) {
    GpuSupportManifest manifest = read_gpu_support_manifest(session.engine_options.resources_dir / "gpu_support.json");
    if (index.empty()) return with_index_of_environment(std::move(manifest));
    manifest.index = index;
    return manifest;
}

/// Shows the progress of a download: a line that is rewritten in a terminal, otherwise one line per wheel. Prints
/// nothing with --quiet or --json.
class InstallProgress {
public:
    InstallProgress(const Session& session, ProgressKind wanted)
        : session_(session), kind_(kind_of(session.format, wanted)) {}
    ~InstallProgress() { clear(); }
    InstallProgress(const InstallProgress&) = delete;
    InstallProgress& operator=(const InstallProgress&) = delete;

    void announce(const GpuSupportStatus& status) {
        if (kind_ == Kind::none || status.bytes_to_download == 0) return;
        say(session_, "downloading " + format_byte_size(status.bytes_to_download) + " to " +
                          status.folder.parent_path().string());
    }

    void show(const GpuSupportProgress& progress) {
        const bool is_new = progress.file != file_ || progress.step != step_;
        file_ = progress.file;
        step_ = progress.step;
        const auto now = std::chrono::steady_clock::now();
        if (kind_ == Kind::lines && is_new) session_.err << line(progress) << std::endl;
        if (kind_ != Kind::bar || (!is_new && now - shown_ < kPause)) return;
        shown_ = now;
        std::string text = line(progress);
        text.resize(std::min(text.size(), static_cast<std::size_t>(terminal_columns() - 1)));
        session_.terminal << "\r\x1b[2K" << text << std::flush;
        drawn_ = true;
    }

    void clear() {
        if (drawn_) session_.terminal << "\r\x1b[2K" << std::flush;
        drawn_ = false;
    }

private:
    enum class Kind { none, lines, bar };
    static constexpr std::chrono::milliseconds kPause{100};

    static Kind kind_of(OutputFormat format, ProgressKind wanted) {
        if (format == OutputFormat::json || wanted == ProgressKind::none) return Kind::none;
        return can_redraw_lines() ? Kind::bar : Kind::lines;
    }

    static std::string line(const GpuSupportProgress& progress) {
        const std::string percent = std::to_string(100 * progress.downloaded / progress.download_bytes);
        const std::string word = progress.step == GpuSupportStep::download ? "downloading " : "unpacking ";
        return percent + " % of " + format_byte_size(progress.download_bytes) + "  " + word + progress.file;
    }

    const Session& session_;
    Kind kind_;
    std::string file_;
    GpuSupportStep step_ = GpuSupportStep::download;
    std::chrono::steady_clock::time_point shown_;
    bool drawn_ = false;
};

Json to_document(const GpuSupportManifest& manifest, const GpuSupportStatus& status) {
    return {{"state", state_name(status.state)},  {"folder", status.folder.string()},
            {"libtorch", manifest.libtorch},      {"cuda", manifest.cuda},
            {"least_driver", manifest.driver},    {"bytes", status.bytes},
            {"download_bytes", manifest.bytes()}, {"bytes_to_download", status.bytes_to_download}};
}

int show_status(const Session& session, const GpuSupportManifest& manifest) {
    const GpuSupportStatus status = gpu_support_status(manifest);
    Json document = to_document(manifest, status);
    document["cards"] = Json::array();
    const std::vector<DeviceInfo> cards = cards_of(session);
    for (const DeviceInfo& card : cards) document["cards"].push_back(to_json(card));
    print_json(session, document);
    if (session.format == OutputFormat::json) return kDone;
    session.out << "GPU support for CUDA " << manifest.cuda << ": " << state_text(status.state) << '\n'
                << "  folder: " << status.folder.string() << " (" << format_byte_size(status.bytes) << ")\n";
    if (status.bytes_to_download > 0)
        session.out << "  to download: " << format_byte_size(status.bytes_to_download) << " of "
                    << format_byte_size(manifest.bytes()) << '\n';
    if (cards.empty())
        session.out << "  no NVIDIA driver with a graphics card was found; CUDA " << manifest.cuda << " needs driver "
                    << manifest.driver << " or newer\n";
    for (const DeviceInfo& card : cards)
        session.out << "  " << card.id << "  " << card.name << ": "
                    << (card.unusable.empty() ? "ready" : "cannot compute: " + card.unusable.text) << '\n';
    return kDone;
}

int install(const Session& session, const GpuSupportManifest& manifest, const GpuSupportArguments& arguments) {
    if (arguments.driver == DriverCheck::required) require_gpu(manifest, cards_of(session));
    const InterruptGuard signals;
    InstallProgress shown(session, arguments.progress);
    shown.announce(gpu_support_status(manifest));
    install_gpu_support(manifest, [&](const GpuSupportProgress& progress) {
        shown.show(progress);
        return signals.interrupt() == Interrupt::none ? KeepGoing::yes : KeepGoing::no;
    });
    shown.clear();
    const GpuSupportStatus after = gpu_support_status(manifest);
    print_json(session, to_document(manifest, after));
    if (session.format == OutputFormat::human)
        session.out << "GPU support is installed in " << after.folder.string() << " (" << format_byte_size(after.bytes)
                    << "). kinescope-cli doctor checks the graphics card.\n";
    return kDone;
}

int remove(const Session& session) {
    const std::int64_t freed = remove_gpu_support();
    print_json(session, {{"freed_bytes", freed}});
    if (session.format == OutputFormat::human)
        session.out << (freed == 0 ? std::string("GPU support was not installed")
                                   : "GPU support was removed: " + format_byte_size(freed) + " are free again")
                    << '\n';
    return kDone;
}

}  // namespace

int gpu_support(const Session& session, const GpuSupportArguments& arguments) {
    if (arguments.action == GpuSupportAction::remove) return remove(session);
    const GpuSupportManifest manifest = read_manifest(session, arguments.index);
    if (arguments.action == GpuSupportAction::status) return show_status(session, manifest);
    return install(session, manifest, arguments);
}

}  // namespace kinescope::cli
