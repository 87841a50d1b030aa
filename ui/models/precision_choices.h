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

/// The plan of the request with another precision.
struct PrecisionChoice {
    PolicySummary policy = {};
    std::int64_t peakBytes = 0;
    std::optional<Error> refusal = {};  ///< why the engine refuses this precision

    /// Returns the component in this role, or nullptr if the model has none.
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

    /// Returns the plan with all components in one type, "auto", "fp32", "bf16" or "fp16", or nullptr if it is not
    /// known yet.
    const PrecisionChoice* computed(std::string_view dtype) const { return find(computed_, dtype); }
    /// Returns the plan with a type for the denoiser alone, or nullptr if it is not known yet. The VAE may follow it.
    const PrecisionChoice* withDenoiser(std::string_view dtype) const { return find(followed_, dtype); }
    /// Returns the plan with the denoiser's weights stored in a type, or nullptr if it is not known yet.
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
    Choices followed_;
    Choices stored_;
    std::optional<VideoRequest> asked_;  ///< the request of the last round, without its precision
    int round_ = 0;
    enum class Mode { off, on } mode_ = Mode::off;
};

/// The values of the request's fields for compute and storage dtypes, without "auto".
inline constexpr std::array kComputeTypes{"fp32", "bf16", "fp16"};
inline constexpr std::array kStorageTypes{"fp32", "bf16", "fp16", "fp8", "int8"};

/// Returns true if a plan gives a component what was requested: ("fp16", "float16"), ("fp8", "float8_e4m3fn").
bool isAsRequested(std::string_view requested, std::string_view effective);

}  // namespace kinescope::ui
