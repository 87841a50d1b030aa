#include "app/cli/progress.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <ostream>

#include "app/cli/event_json.h"
#include "app/cli/terminal.h"

namespace kinescope::cli {
namespace {

constexpr int kBarColumns = 28;

std::string format(const char* pattern, double value) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), pattern, value);
    return text.data();
}

std::string clock(double seconds) {
    const auto whole = static_cast<long>(seconds + 0.5);
    std::array<char, 32> text{};
    if (whole >= 3600)
        std::snprintf(text.data(), text.size(), "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        std::snprintf(text.data(), text.size(), "%ld:%02ld", whole / 60, whole % 60);
    return text.data();
}

std::string bar(const ProgressState& state) {
    const int filled = state.total > 0 ? std::clamp(kBarColumns * state.done / state.total, 0, kBarColumns) : 0;
    return "[" + std::string(static_cast<std::size_t>(filled), '#') +
           std::string(static_cast<std::size_t>(kBarColumns - filled), '.') + "]";
}

/// Draws a bar on the last line of a terminal.
class BarProgress final : public Progress {
public:
    explicit BarProgress(std::ostream& err) : err_(err) {}
    ~BarProgress() override { clear(); }

    void show(JobId, const RunEvent& event) override {
        if (!update(state_, event)) return;
        err_ << "\r\x1b[2K" << progress_line(state_, terminal_columns() - 1) << std::flush;
        drawn_ = true;
    }

    void clear() override {
        if (drawn_) err_ << "\r\x1b[2K" << std::flush;
        drawn_ = false;
    }

private:
    std::ostream& err_;
    ProgressState state_;
    bool drawn_ = false;
};

class JsonProgress final : public Progress {
public:
    explicit JsonProgress(std::ostream& out) : out_(out) {}
    void show(JobId job, const RunEvent& event) override {
        const auto* started = std::get_if<RunStarted>(&event);
        if (started != nullptr && started->request.seed) seeds_[job] = *started->request.seed;
        Json document = event_document(job, event);
        const auto seed = seeds_.find(job);
        if (std::holds_alternative<RunFinished>(event) && seed != seeds_.end()) document["seed"] = seed->second;
        out_ << one_line(document) << std::endl;
    }
    void clear() override {}
    bool is_json() const override { return true; }

private:
    std::ostream& out_;
    std::map<JobId, std::uint64_t> seeds_;  ///< of the jobs that have started
};

class NoProgress final : public Progress {
public:
    void show(JobId, const RunEvent&) override {}
    void clear() override {}
};

}  // namespace

bool update(ProgressState& state, const RunEvent& event) {
    if (const auto* started = std::get_if<PhaseStarted>(&event)) {
        state = {.phase = started->phase, .total = started->total};
        return true;
    }
    if (const auto* progress = std::get_if<PhaseProgress>(&event)) {
        state.phase = progress->phase;
        state.done = progress->done;
        state.total = progress->total;
        state.seconds = progress->seconds;
        return true;
    }
    if (const auto* finish = std::get_if<FinishProgress>(&event)) {
        if (state.finishing == finish->stage && state.done == finish->done) return false;
        state = {.done = finish->done, .total = finish->total, .seconds = finish->seconds, .finishing = finish->stage};
        return true;
    }
    if (const auto* step = std::get_if<StepCompleted>(&event)) {
        state.phase = Phase::denoise;
        state.done = step->step + 1;
        state.total = step->num_steps;
        state.step_seconds = step->seconds;
        state.max_abs = step->latents.max_abs;
        return true;
    }
    return false;
}

std::string progress_line(const ProgressState& state, int columns) {
    std::string line = state.finishing ? "finish" : to_string(state.phase);
    line.resize(8, ' ');
    if (state.total > 0) line += bar(state) + " " + std::to_string(state.done) + "/" + std::to_string(state.total);
    if (state.step_seconds > 0) line += format("  %.2f s/step", state.step_seconds);
    if (state.done > 0 && state.done < state.total && state.seconds > 0)
        line += "  ETA " + clock(state.seconds / state.done * (state.total - state.done));
    if (state.finishing == FinishStage::file) line += "  Completing the file";
    if (state.max_abs > 0) line += format("  max|x| %.3g", state.max_abs);
    if (static_cast<int>(line.size()) > columns) line.resize(static_cast<std::size_t>(std::max(columns, 0)));
    return line;
}

std::unique_ptr<Progress> make_progress(ProgressKind kind, std::ostream& out, std::ostream& err) {
    if (kind == ProgressKind::automatic) kind = can_redraw_lines() ? ProgressKind::bar : ProgressKind::none;
    if (kind == ProgressKind::bar) return std::make_unique<BarProgress>(err);
    if (kind == ProgressKind::json) return std::make_unique<JsonProgress>(out);
    return std::make_unique<NoProgress>();
}

}  // namespace kinescope::cli
