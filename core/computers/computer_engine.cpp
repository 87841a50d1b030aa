#include "core/computers/computer_engine.h"

#include <algorithm>
#include <utility>

#include "core/base/local_socket.h"
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

/// Questions about models, with the paths of this computer.
class CatalogThere final : public ModelCatalog {
public:
    CatalogThere(const Caller& caller, RequestTranslator& translator) : there_(caller), translator_(translator) {}

    std::vector<ModelCard> models() override { return there_.models(); }
    ModelCard card(const std::string& model) override { return with_id(there_.card(model_there(model)), model); }
    ModelCard card(const VideoRequest& request) override {
        return with_id(there_.card(translated(request)), request.model);
    }
    CheckpointDescription describe_checkpoint(const fs::path& path) override {
        return there_.describe_checkpoint(model_there(path.string()));
    }
    FileCheck check_file(const fs::path& file, CheckId id) override { return there_.check_file(file, id); }
    void cancel_check(CheckId id) override { there_.cancel_check(id); }
    std::vector<PresetInfo> presets(const VideoRequest& request) override {
        return there_.presets(translated(request));
    }
    Plan plan(const VideoRequest& request) override {
        Plan plan = there_.plan(translated(request));
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
        return translated(request).model;
    }
    /// The outputs of a question are not written, so they need no folder of their own.
    VideoRequest translated(const VideoRequest& request) {
        return translator_.translate(request, std::string(32, '0'), [] { return true; });
    }

    remote::RemoteCatalog there_;
    RequestTranslator& translator_;
};

class ComputerEngineImpl final : public ComputerEngine {
public:
    ComputerEngineImpl(Computer computer, ComputerEngineOptions options, RunObserver& observer)
        : only_one_uses_(lock_name(options.ledger), kSecondsForLock),
          computer_(std::move(computer)),
          on_change_(std::move(options.on_change)),
          queue_({.computer = computer_.name,
                  .ledger = std::move(options.ledger),
                  .observer = observer,
                  .on_work = [this] { wake(); }}),
          link_(computer_, std::move(options.version),
                {.on_event = [this](JobId job, const RunEvent& event) { queue_.take(job, event); },
                 .on_change = [this] { wake(); }}),
          courier_(std::make_unique<Courier>(link_, queue_, files_, translator_)) {
        const std::lock_guard lock(mutex_);
        awake_ = courier_.get();
    }

    ~ComputerEngineImpl() override {
        {
            const std::lock_guard lock(mutex_);
            awake_ = nullptr;
        }
        courier_->stop();
        link_.close();
        courier_.reset();
    }

    JobQueue& jobs() override { return queue_; }
    ModelCatalog& catalog() override { return catalog_; }
    Diagnostics& diagnostics() override { return diagnostics_; }
    VideoFiles& videos() override { return videos_; }
    GpuInstaller& gpu_installer() override { return gpu_installer_; }

    ComputerStatus status() override {
        return {.computer = computer_,
                .state = link_.state(),
                .error = link_.last_error(),
                .num_open_jobs = queue_.num_open()};
    }

    ComputerFacts facts() override { return facts_of(link_); }

private:
    /// Called on any thread, also while this object is constructed or deleted.
    void wake() {
        {
            const std::lock_guard lock(mutex_);
            if (awake_ == nullptr) return;
            awake_->wake();
        }
        if (on_change_) on_change_();
    }

    static fs::path lock_name(const fs::path& ledger) {
        std::error_code ignored;
        fs::create_directories(ledger.parent_path(), ignored);
        return fs::path(ledger).replace_extension(".lock");
    }

    const FileLock only_one_uses_;  ///< of the programs on this computer, which would fetch results twice
    const Computer computer_;
    const std::function<void()> on_change_;
    std::mutex mutex_;
    Courier* awake_ = nullptr;  ///< nullptr: not yet, or no longer
    SentQueue queue_;
    ComputerLink link_;
    FileTransfer files_{link_};
    RequestTranslator translator_{computer_, link_, files_};
    const Caller caller_ = [this](const std::string& name, const Json& arguments, AfterLoss after_loss) {
        return link_.call(name, arguments, after_loss);
    };
    CatalogThere catalog_{caller_, translator_};
    remote::RemoteDiagnostics diagnostics_{caller_};
    remote::RemoteVideoFiles videos_{caller_};
    remote::RemoteGpuInstaller gpu_installer_{caller_};
    std::unique_ptr<Courier> courier_;  ///< the last member: uses the others
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
