#pragma once

#include <QObject>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/component_role.h"
#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

class RequestModel;

/// What the request would do with another precision.
struct PrecisionChoice {
    PolicySummary policy = {};
    std::int64_t peakBytes = 0;
    std::optional<Error> refusal = {};  ///< why the engine refuses it

    /// The component in this role; nullptr: the model has none.
    const ComponentPolicy* part(ComponentRole role) const;
};

/// Plans the request with every precision, so that the form can show what each one costs and which ones the device does
/// not support. Does nothing until it is switched on.
class PrecisionChoices : public QObject {
    Q_OBJECT

public:
    PrecisionChoices(EngineBridge& bridge, const RequestModel& request, QObject* parent = nullptr);

    /// Plans now and after each later change of the request.
    void begin();
    void stop();

    /// All components in one type: "auto", "fp32", "bf16" or "fp16". nullptr: not yet known.
    const PrecisionChoice* computed(std::string_view dtype) const { return find(computed_, dtype); }
    /// The denoiser's weights stored in a type.
    const PrecisionChoice* stored(std::string_view dtype) const { return find(stored_, dtype); }

Q_SIGNALS:
    void changed();

private:
    using Choices = std::map<std::string, PrecisionChoice, std::less<>>;

    static const PrecisionChoice* find(const Choices& choices, std::string_view dtype);
    void refresh();
    void ask(Choices& choices, const std::string& dtype, const VideoRequest& variant);
    void keep(Choices& choices, const std::string& dtype, PrecisionChoice choice, int round);

    EngineBridge& bridge_;
    const RequestModel& request_;
    Choices computed_;
    Choices stored_;
    std::optional<VideoRequest> asked_;  ///< the request of the last round, without its precision
    int round_ = 0;
    enum class Mode { off, on } mode_ = Mode::off;
};

/// The values of the request's fields for computing and for storing, without "auto".
inline constexpr std::array kComputeTypes{"fp32", "bf16", "fp16"};
inline constexpr std::array kStorageTypes{"fp32", "bf16", "fp16", "fp8", "int8"};

/// True if a plan gives a component what was requested: ("fp16", "float16"), ("fp8", "float8_e4m3fn").
bool isAsRequested(std::string_view requested, std::string_view effective);

}  // namespace kinescope::ui
