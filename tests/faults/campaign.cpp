#include "tests/faults/campaign.h"

#include <unistd.h>

#include <array>
#include <iomanip>
#include <limits>
#include <map>
#include <numeric>
#include <ostream>

#include "core/device/backend.h"
#include "tests/faults/clean_runs.h"
#include "tests/faults/fault_runs.h"
#include "tests/faults/rounding_loss.h"

namespace kinescope::faults {

namespace {

/// The fault kinds of one round. Families alternate independently, so that every family gets every kind.
constexpr std::array kRound = {FaultKind::denoiser_overflow,
                               FaultKind::vae_overflow,
                               FaultKind::nan_in_weight,
                               FaultKind::empty_frames,
                               FaultKind::denoiser_overflow,
                               FaultKind::growing_stream,
                               FaultKind::text_encoder_overflow,
                               FaultKind::denoiser_overflow,
                               FaultKind::float32_overflow,
                               FaultKind::dead_denoiser,
                               FaultKind::empty_frames,
                               FaultKind::vae_overflow,
                               FaultKind::denoiser_overflow,
                               FaultKind::inf_in_weight,
                               FaultKind::growing_stream,
                               FaultKind::fp8_nan,
                               FaultKind::underflowing_pair,
                               FaultKind::tiny_values,
                               FaultKind::scaled_weight,
                               FaultKind::underflowing_pair,
                               FaultKind::cancelling_offset,
                               FaultKind::tiny_values,
                               FaultKind::underflowing_pair,
                               FaultKind::scaled_weight,
                               FaultKind::tiny_values};

struct Row {
    int planted = 0;
    int detected = 0;
    int right_end = 0;
    std::array<int, kNumEnds> ends{};
    double least_psnr_db = std::numeric_limits<double>::infinity();

    void add(const Outcome& outcome) {
        ++planted;
        ++ends[static_cast<std::size_t>(outcome.end)];
        detected += outcome.is_detected ? 1 : 0;
        right_end += outcome.has_right_end ? 1 : 0;
        if (outcome.psnr_db > 0 && outcome.end != End::saturated)
            least_psnr_db = std::min(least_psnr_db, outcome.psnr_db);
    }
};

class Table {
public:
    void add(const Outcome& outcome) {
        rows_[outcome.family + ": " + to_string(outcome.kind)].add(outcome);
        total_.add(outcome);
    }
    void print(std::ostream& out) const {
        out << std::left << std::setw(48) << "fault"
            << "planted  detected  right end";
        for (int end = 0; end < kNumEnds; ++end)
            out << std::right << std::setw(kEndWidth) << to_string(static_cast<End>(end));
        out << "  least PSNR\n";
        for (const auto& [name, row] : rows_) print(out, name, row);
        print(out, "all", total_);
    }
    bool is_perfect() const { return total_.detected == total_.planted && total_.right_end == total_.planted; }

private:
    static void print(std::ostream& out, const std::string& name, const Row& row) {
        out << std::left << std::setw(48) << name << std::right << std::setw(7) << row.planted << std::setw(10)
            << row.detected << std::setw(11) << row.right_end;
        for (const int count : row.ends) out << std::setw(kEndWidth) << count;
        out << std::setw(9) << std::fixed << std::setprecision(1) << row.least_psnr_db << " dB\n";
    }
    static constexpr int kEndWidth = 14;
    std::map<std::string, Row> rows_;
    Row total_;
};

bool can_have(FaultKind kind, const Family& family) {
    if (kind == FaultKind::text_encoder_overflow) return has_component(family, "text_encoder");
    if (kind == FaultKind::growing_stream) return !family.growth.shrunk.empty();
    if (kind == FaultKind::empty_frames) return !family.last_conv.empty();
    if (kind == FaultKind::dead_encoder) return !encoders(family).empty();
    if (kind == FaultKind::dead_denoiser) return family.keeping == Keeping::plain;
    if (kind == FaultKind::float32_overflow) return family.keeping != Keeping::gguf;
    return kind != FaultKind::vae_overflow || has_component(family, "vae");
}

bool is_of_precision(FaultKind kind) {
    return kind == FaultKind::underflowing_pair || kind == FaultKind::cancelling_offset;
}

/// Runs a drawn fault. If the tiny model has no suitable weight, runs a fault that every model supports instead.
Outcome run_drawn(FaultKind kind, const Family& family, Draw& draw, const std::filesystem::path& folder) {
    try {
        return run_fault(kind, family, draw, folder);
    } catch (const NothingDrawn&) {
        const FaultKind other = is_of_precision(kind) ? FaultKind::tiny_values : FaultKind::nan_in_weight;
        return run_fault(other, family, draw, folder);
    }
}

/// Returns the kind of the fault with this index. Every other round has a dead encoder in the place of a dead denoiser,
/// so that it does not shift the kinds of the indices that reports name.
FaultKind kind_of(int index, const Family& family) {
    constexpr int kSize = static_cast<int>(kRound.size());
    FaultKind kind = kRound[static_cast<std::size_t>(index % kSize)];
    const bool may_be_encoder = kind == FaultKind::dead_denoiser && index / kSize % 2 == 1;
    if (may_be_encoder && can_have(FaultKind::dead_encoder, family)) kind = FaultKind::dead_encoder;
    return can_have(kind, family) ? kind : FaultKind::denoiser_overflow;
}

std::vector<int> chosen_faults(const CampaignSettings& settings) {
    if (!settings.only.empty()) return settings.only;
    std::vector<int> all(static_cast<std::size_t>(settings.num_faults));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool plant_faults(const CampaignSettings& settings, const std::filesystem::path& folder, std::ostream& out) {
    const auto all = families(folder);
    Table table;
    for (const int i : chosen_faults(settings)) {
        Draw draw(settings.seed * 100003ULL + static_cast<unsigned>(i));
        const Family& family = all[static_cast<std::size_t>(i) % all.size()];
        const FaultKind kind = kind_of(i, family);
        const Outcome outcome = run_drawn(kind, family, draw, folder);
        table.add(outcome);
        if (!settings.only.empty() || !outcome.is_detected || !outcome.has_right_end)
            out << "fault " << i << ", " << family.name << ", " << to_string(kind) << ": " << outcome.planted
                << "; expected " << outcome.expected << ", reported " << outcome.reported << ", " << outcome.psnr_db
                << " dB, " << to_string(outcome.end) << "\n"
                << std::flush;
    }
    table.print(out);
    return table.is_perfect();
}

bool make_clean_runs(const CampaignSettings& settings, const std::filesystem::path& folder, std::ostream& out) {
    const auto all = families(folder);
    int alarms = 0;
    for (int i = 0; i < settings.num_clean; ++i) {
        const CleanOutcome outcome = run_clean(i, all[static_cast<std::size_t>(i) % all.size()], folder);
        if (outcome.alarm.empty()) continue;
        ++alarms;
        out << "false alarm " << i << ", " << outcome.family << ", " << outcome.words << ": " << outcome.alarm << '\n'
            << std::flush;
    }
    out << "false alarms in " << settings.num_clean << " clean runs: " << alarms << '\n';
    return alarms == 0;
}

}  // namespace

bool run_campaign(const CampaignSettings& settings, std::ostream& out) {
    apply_numeric_settings(HalfAccumulation::forbidden);
    set_cpu_threads(1);  // more threads do not help with tiny tensors
    const auto folder = std::filesystem::temp_directory_path() / ("kinescope_faults_" + std::to_string(::getpid()));
    bool is_right = true;
    if (settings.num_rounding > 0) {
        is_right = measure_rounding(families(folder), settings.num_rounding, out);
    } else {
        is_right = plant_faults(settings, folder, out);
        if (settings.only.empty()) is_right = make_clean_runs(settings, folder, out) && is_right;
    }
    std::filesystem::remove_all(folder);
    return is_right;
}

}  // namespace kinescope::faults
