#include "core/computers/file_calls.h"

#include <mutex>
#include <set>

#include "core/computers/file_names.h"
#include "core/computers/json_fields.h"
#include "core/computers/model_match.h"
#include "core/protocol/message.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;
using protocol::Json;
using protocol::ProtocolError;
using remote::Call;
using remote::CallDuration;
using remote::FrameSender;

/// The arguments of a call, checked.
class Arguments {
public:
    Arguments(const Json& list, std::size_t count) : list_(list) {
        if (!list.is_array() || list.size() != count)
            throw ProtocolError("expected " + std::to_string(count) + " arguments");
    }
    std::string text(std::size_t index) const { return as_text(list_[index], name(index).c_str()); }
    std::int64_t number(std::size_t index) const { return as_number(list_[index], name(index).c_str()); }
    std::span<const std::byte> bytes(std::size_t index) const {
        if (!list_[index].is_binary()) throw ProtocolError(name(index) + " must be bytes");
        const auto& bytes = list_[index].get_binary();
        return std::as_bytes(std::span(bytes.data(), bytes.size()));
    }
    const Json& document(std::size_t index) const { return list_[index]; }

private:
    static std::string name(std::size_t index) { return "argument " + std::to_string(index + 1); }
    const Json& list_;
};

/// A call that takes `count` arguments and runs on a thread of its own.
template <class Run>
Call file_call(std::string name, std::size_t count, Run run) {
    return {.name = std::move(name),
            .duration = CallDuration::long_call,
            .run = [count, run](Engine& engine, const Json& list, const FrameSender&) -> Json {
                return run(engine, Arguments(list, count));
            }};
}

Json listing_of(const std::vector<StoredFile>& files) {
    Json listing = Json::array();
    for (const StoredFile& file : files)
        listing.push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
    return listing;
}

Json match_models(Engine& engine, const Json& wanted_models) {
    constexpr std::size_t kMostModels = 64;
    if (!wanted_models.is_array() || wanted_models.size() > kMostModels)
        throw ProtocolError("argument 1 must be a list of up to 64 models");
    std::vector<fs::path> known;
    for (const ModelCard& card : engine.catalog().models()) known.emplace_back(card.id);
    Json found = Json::array();
    for (const Json& wanted : wanted_models) found.push_back(find_model(wanted_model_from(wanted), known).string());
    return found;
}

/// Makes sure that a request whose answer was lost with the connection is not queued twice.
class SingleSubmission {
public:
    /// Returns the job of this token; queues the request if there is none.
    JobId submit(Engine& engine, const std::string& token, const VideoRequest& request) {
        if (!is_token(token)) throw ProtocolError("argument 1 must be a token");
        const std::lock_guard lock(mutex_);
        if (withdrawn_.contains(token)) throw Error(ErrorCode::bad_request, "the request was withdrawn");
        if (const auto job = find(engine, token)) return *job;
        if (token_in(any_output(request)) != token)
            throw Error(ErrorCode::bad_request, "the outputs of the request are not in the folder of its job");
        return engine.jobs().submit(request);
    }

    /// Refuses the request of this token from now on: a lost connection may still deliver it. Throws Error if its job
    /// is in the queue already, so that the sender deletes that first.
    void withdraw(Engine& engine, const std::string& token) {
        if (!is_token(token)) return;
        const std::lock_guard lock(mutex_);
        withdrawn_.insert(token);
        if (find(engine, token))
            throw Error(ErrorCode::bad_request, "the job of these results is in the queue", "Delete the job first.");
    }

private:
    static std::optional<JobId> find(Engine& engine, const std::string& token) {
        for (const Job& job : engine.jobs().list())
            if (token_in(any_output(job.request)) == token) return job.id;
        return std::nullopt;
    }

    static fs::path any_output(const VideoRequest& request) { return request.output.file; }

    std::mutex mutex_;
    std::set<std::string> withdrawn_;  ///< tokens
};

}  // namespace

std::vector<Call> file_calls(const std::shared_ptr<FileStore>& store, const std::function<void()>& check_cluster) {
    const auto once = std::make_shared<SingleSubmission>();
    return {file_call("files.about", 0,
                      [store](Engine&, const Arguments&) -> Json {
                          const auto free = store->free_bytes();
                          return {{"folder", store->folder().string()}, {"free_bytes", free ? Json(*free) : Json()}};
                      }),
            file_call("files.arrived", 1,
                      [store](Engine&, const Arguments& arguments) -> Json {
                          const FileStore::Arrived arrived = store->arrived(arguments.text(0));
                          return {{"is_whole", arrived.is_whole}, {"bytes", arrived.bytes}};
                      }),
            file_call("files.put", 4,
                      [store](Engine&, const Arguments& arguments) -> Json {
                          store->put(arguments.text(0), {.total = arguments.number(1),
                                                         .offset = arguments.number(2),
                                                         .bytes = arguments.bytes(3)});
                          return nullptr;
                      }),
            file_call("files.finish", 2,
                      [store](Engine&, const Arguments& arguments) -> Json {
                          store->finish(arguments.text(0), arguments.text(1));
                          return nullptr;
                      }),
            file_call(
                "files.list", 1,
                [store](Engine&, const Arguments& arguments) { return listing_of(store->results(arguments.text(0))); }),
            file_call("files.get", 3,
                      [store](Engine&, const Arguments& arguments) {
                          return Json::binary(store->get(arguments.text(0), arguments.number(1), arguments.number(2)));
                      }),
            file_call("files.remove", 1,
                      [store, once](Engine& engine, const Arguments& arguments) -> Json {
                          once->withdraw(engine, arguments.text(0));
                          store->remove_results(arguments.text(0));
                          return nullptr;
                      }),
            file_call(
                "models.match", 1,
                [](Engine& engine, const Arguments& arguments) { return match_models(engine, arguments.document(0)); }),
            file_call("cluster.check", 0,
                      [check_cluster](Engine&, const Arguments&) -> Json {
                          if (check_cluster) check_cluster();
                          return nullptr;
                      }),
            file_call("jobs.submit_once", 2, [once](Engine& engine, const Arguments& arguments) -> Json {
                return once->submit(engine, arguments.text(0),
                                    protocol::from_document<VideoRequest>(arguments.document(1)));
            })};
}

}  // namespace kinescope::computers
