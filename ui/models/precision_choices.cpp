#include "ui/models/precision_choices.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ui/models/request_model.h"

namespace kinescope::ui {
namespace {

constexpr std::array kNames{std::pair{"fp32", "float32"}, std::pair{"bf16", "bfloat16"}, std::pair{"fp16", "float16"},
                            std::pair{"fp8", "float8_e4m3fn"}, std::pair{"int8", "int8"}};

VideoRequest withoutPrecision(VideoRequest request) {
    request.dtype = request.text_encoder_dtype = request.vae_dtype = request.storage = "auto";
    return request;
}

}  // namespace

const ComponentPolicy* PrecisionChoice::part(ComponentRole role) const {
    const auto found = std::ranges::find_if(
        policy, [role](const ComponentPolicy& component) { return role_of(component.component) == role; });
    return found == policy.end() ? nullptr : &*found;
}

bool isAsRequested(std::string_view requested, std::string_view effective) {
    const auto known = std::ranges::find_if(kNames, [&](const auto& name) { return requested == name.first; });
    return known == kNames.end() || effective == known->second;
}

PrecisionChoices::PrecisionChoices(EngineBridge& bridge, const RequestModel& request, QObject* parent)
    : QObject(parent), bridge_(bridge), request_(request) {
    connect(&request_, &RequestModel::planChanged, this, &PrecisionChoices::refresh);
}

void PrecisionChoices::begin() {
    mode_ = Mode::on;
    refresh();
}

void PrecisionChoices::stop() {
    mode_ = Mode::off;
}

const PrecisionChoice* PrecisionChoices::find(const Choices& choices, std::string_view dtype) {
    const auto found = choices.find(dtype);
    return found == choices.end() ? nullptr : &found->second;
}

/// Plans all precisions again, unless only the precision of the request has changed.
void PrecisionChoices::refresh() {
    if (mode_ == Mode::off || !request_.hasCard() || !request_.faults().empty()) return;
    VideoRequest base = withoutPrecision(request_.request());
    if (asked_ == base) return;
    asked_ = base;
    ++round_;
    computed_.clear();
    followed_.clear();
    stored_.clear();
    ask(computed_, "auto", base);
    ask(followed_, "auto", base);
    for (const char* dtype : kComputeTypes) {
        VideoRequest variant = base;
        variant.dtype = dtype;
        ask(followed_, dtype, variant);
        variant.text_encoder_dtype = variant.vae_dtype = dtype;
        ask(computed_, dtype, variant);
    }
    for (const char* dtype : kStorageTypes) {
        VideoRequest variant = base;
        variant.storage = dtype;
        ask(stored_, dtype, variant);
    }
    Q_EMIT changed();
}

void PrecisionChoices::ask(Choices& choices, const std::string& dtype, const VideoRequest& variant) {
    bridge_.request(
        Lane::slow, this, [variant](Engine& engine) { return engine.catalog().plan(variant); },
        [this, &choices, dtype, round = round_](const Plan& plan) {
            keep(choices, dtype, {.policy = plan.policy, .peakBytes = plan.peak_memory_bytes}, round);
        },
        [this, &choices, dtype, round = round_](const Error& error) {
            keep(choices, dtype, {.refusal = error}, round);
        });
}

/// Stores an answer, unless it belongs to an earlier request.
void PrecisionChoices::keep(Choices& choices, const std::string& dtype, PrecisionChoice choice, int round) {
    if (round != round_) return;
    choices[dtype] = std::move(choice);
    Q_EMIT changed();
}

}  // namespace kinescope::ui
