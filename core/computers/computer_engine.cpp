#include "core/computers/computer_engine.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "core/api/video_request_json.h"
#include "core/base/local_socket.h"
#include "core/computers/connection_error.h"
#include "core/computers/courier.h"
#include "core/computers/json_fields.h"
#include "core/protocol/message.h"
#include "core/remote/remote_parts.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;
using protocol::Json;
using remote::AfterLoss;
using remote::Caller;

/// The time that another window may take to end.
constexpr double kSecondsForLock = 5;

/// The connection to a computer, and everything that uses it.
class Connection {
public:
    Connection(Computer computer, std::string version, ComputerLink::Receiver receiver, SentQueue& queue)
        : link(computer, std::move(version), std::move(receiver)),
          translator(std::move(computer), link, files),
          courier(std::in_place, link, queue, files, translator) {}
    ~Connection() { end(); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Waits for the courier. Calls fail from then on.
    void end() {
        if (!courier) return;
        courier->stop();
        link.close();
        courier.reset();
    }

    ComputerLink link;
    FileTransfer files{link};
    RequestTranslator translator;
    std::optional<Courier> courier;
};

/// Converts a request that belongs to a question.
using Translate = std::function<VideoRequest(const VideoRequest&)>;

/// LoRAs in the presets of another computer are files there. A request names files of this one.
std::string without_loras(const std::string& fields) {
    nlohmann::ordered_json document = parse_request_object(fields);
    document.erase("loras");
    return document.dump();
}

/// Questions about models, with the paths of this computer.
class CatalogThere final : public ModelCatalog {
public:
    CatalogThere(const Caller& caller, Translate translate) : there_(caller), translated_(std::move(translate)) {}

    std::vector<ModelCard> models() override { return there_.models(); }
    ModelCard card(const std::string& model) override { return with_id(there_.card(model_there(model)), model); }
    ModelCard card(const VideoRequest& request) override {
        return with_id(there_.card(translated_(request)), request.model);
    }
    CheckpointDescription describe_checkpoint(const fs::path& path) override {
        return there_.describe_checkpoint(model_there(path.string()));
    }
    FileCheck check_file(const fs::path& file, CheckId id) override { return there_.check_file(file, id); }
    void cancel_check(CheckId id) override { there_.cancel_check(id); }
    std::vector<PresetInfo> presets(const VideoRequest& request) override {
        std::vector<PresetInfo> presets = there_.presets(translated_(request));
        for (PresetInfo& preset : presets) preset.fields = without_loras(preset.fields);
        return presets;
    }
    Plan plan(const VideoRequest& request) override {
        Plan plan = there_.plan(translated_(request));
        plan.request = with_own_paths(std::move(plan.request), request);
        plan.card = with_id(std::move(plan.card), request.model);
        return plan;
    }
    int count_tokens(const std::string& model, const std::string& prompt) override {
        return there_.count_tokens(model_there(model), prompt);
    }

private:
    static ModelCard with_id(ModelCard card, const std::string& id) {
        card.id = id;
        return card;
    }
    std::string model_there(const std::string& model) {
        VideoRequest request;
        request.model = model;
        return translated_(request).model;
    }

    remote::RemoteCatalog there_;
    const Translate translated_;
};

class ComputerEngineImpl final : public ComputerEngine {
public:
    ComputerEngineImpl(Computer computer, ComputerEngineOptions options, RunObserver& observer)
        : only_one_uses_(lock_name(options.ledger), kSecondsForLock),
          version_(std::move(options.version)),
          on_change_(std::move(options.on_change)),
          queue_(
              {.computer = computer.name, .ledger = std::move(options.ledger), .observer = observer, .on_work = [this] {
                   wake();
               }}) {
        begin(std::move(computer));
    }

    ~ComputerEngineImpl() override { end(); }

    JobQueue& jobs() override { return queue_; }
    ModelCatalog& catalog() override { return catalog_; }
    Diagnostics& diagnostics() override { return diagnostics_; }
    VideoFiles& videos() override { return videos_; }
    GpuInstaller& gpu_installer() override { return gpu_installer_; }

    ComputerStatus status() override {
        ComputerStatus status{.computer = {}, .num_open_jobs = queue_.num_open()};
        const std::lock_guard lock(mutex_);
        status.computer = computer_;
        if (connection_ == nullptr) return status;
        status.state = connection_->link.state();
        status.error = connection_->link.last_error();
        return status;
    }

    ComputerFacts facts() override { return facts_of(connection()->link); }

    void change(Computer computer) override {
        const std::lock_guard lock(changing_);
        end();
        begin(std::move(computer));
        if (on_change_) on_change_();
    }

private:
    void begin(Computer computer) {
        auto fresh = std::make_shared<Connection>(
            computer, version_,
            ComputerLink::Receiver{.on_event = [this](JobId job, const RunEvent& event) { queue_.take(job, event); },
                                   .on_change = [this] { wake(); }},
            queue_);
        const std::lock_guard lock(mutex_);
        computer_ = std::move(computer);
        connection_ = std::move(fresh);
        connection_->courier->wake();  // a call may have come since the courier has looked for work
    }

    void end() {
        std::shared_ptr<Connection> last;
        {
            const std::lock_guard lock(mutex_);
            last = std::exchange(connection_, nullptr);
        }
        if (last) last->end();
    }

    /// The caller's copy stays valid while the computer changes; its calls fail then.
    std::shared_ptr<Connection> connection() const {
        const std::lock_guard lock(mutex_);
        if (connection_ == nullptr)
            throw Unreachable(Error(ErrorCode::engine_lost, "the connection to '" + computer_.name + "' is closed"));
        return connection_;
    }

    /// Called on any thread, also while this object is constructed or deleted.
    void wake() {
        {
            const std::lock_guard lock(mutex_);
            if (connection_ == nullptr) return;
            connection_->courier->wake();
        }
        if (on_change_) on_change_();
    }

    /// The outputs of a question are not written, so they need no folder of their own.
    VideoRequest translated(const VideoRequest& request) const {
        return connection()->translator.translate(request, std::string(32, '0'), [] { return true; });
    }

    static fs::path lock_name(const fs::path& ledger) {
        std::error_code ignored;
        fs::create_directories(ledger.parent_path(), ignored);
        return fs::path(ledger).replace_extension(".lock");
    }

    const FileLock only_one_uses_;  ///< of the programs on this computer, which would fetch results twice
    const std::string version_;
    const std::function<void()> on_change_;
    std::mutex changing_;       ///< one change of the computer at a time
    mutable std::mutex mutex_;  ///< guards the two members below
    Computer computer_;
    std::shared_ptr<Connection> connection_;  ///< nullptr: not yet, no longer, or the computer changes
    SentQueue queue_;
    const Caller caller_ = [this](const std::string& name, const Json& arguments, AfterLoss after_loss) {
        return connection()->link.call(name, arguments, after_loss);
    };
    CatalogThere catalog_{caller_, [this](const VideoRequest& request) { return translated(request); }};
    remote::RemoteDiagnostics diagnostics_{caller_};
    remote::RemoteVideoFiles videos_{caller_};
    remote::RemoteGpuInstaller gpu_installer_{caller_};
};

}  // namespace

ComputerFacts facts_of(ComputerLink& link) {
    const Caller caller = [&link](const std::string& name, const Json& arguments, AfterLoss after_loss) {
        return link.call(name, arguments, after_loss);
    };
    const auto jobs =
        protocol::from_document<std::vector<Job>>(caller("jobs.list", Json::array(), AfterLoss::ask_again).value);
    caller("cluster.check", Json::array(), AfterLoss::ask_again);
    const auto num_open = std::ranges::count_if(jobs, [](const Job& job) { return !is_over(job.state); });
    return {.devices = remote::RemoteDiagnostics(caller).devices(),
            .num_models = static_cast<int>(remote::RemoteCatalog(caller).models().size()),
            .num_open_jobs = static_cast<int>(num_open),
            .free_disk_bytes = FileTransfer(link).free_bytes()};
}

std::unique_ptr<ComputerEngine> make_computer_engine(Computer computer, ComputerEngineOptions options,
                                                     RunObserver& observer) {
    return std::make_unique<ComputerEngineImpl>(std::move(computer), std::move(options), observer);
}

}  // namespace kinescope::computers
