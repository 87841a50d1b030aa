#include "core/remote/engine_server.h"

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "core/protocol/protocol_error.h"
#include "core/remote/call_table.h"
#include "core/remote/handshake.h"
#include "core/remote/message_channel.h"
#include "core/remote/message_queue.h"
#include "core/remote/sendable_frames.h"

namespace kinescope::remote {

namespace {

using protocol::Answer;
using protocol::AnswerFrames;
using protocol::EventMessage;
using protocol::Heartbeat;
using protocol::Hello;
using protocol::Message;
using protocol::ProtocolError;
using protocol::Request;
using protocol::RequestId;

constexpr std::size_t kMostLongCalls = 64;

/// Converts the exception that is being handled.
Error as_error(const std::string& call) {
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const ProtocolError& error) {
        return {ErrorCode::bad_request, call + ": " + error.what()};
    } catch (const std::bad_alloc&) {
        return {ErrorCode::out_of_memory, "the computer is out of memory", "Close other programs."};
    } catch (const std::exception& error) {
        return {ErrorCode::internal, error.what(), "This is a bug in Kinescope; please report it."};
    }
}

}  // namespace

class EngineServer::Server final : public RunObserver {
public:
    Server(ByteChannel in, ByteChannel out, ServeOptions options)
        : in_(std::move(in)),
          out_(std::move(out)),
          options_(std::move(options)),
          writer_([this] { write_messages(); }) {
        queue_.push(make_hello(options_.version, options_.heartbeat_seconds));
    }

    ~Server() override {
        queue_.close();
        writer_.join();
    }

    void run(const ServedEngine& make_engine) {
        try {
            if (greet()) serve(make_engine);
        } catch (...) {
            const Error error = as_error("message");
            queue_.push(Answer{.id = 0, .error = error});
            throw error;
        }
    }

    void on_event(JobId job, const RunEvent& event) override {
        if (queue_.is_closed()) return;
        for (RunEvent& part : sendable_events(event, most_frame_bytes()))
            queue_.push(EventMessage{job, std::move(part)});
        if (const auto* failed = std::get_if<RunFailed>(&event)) end_if_device_is_lost(failed->error);
    }

private:
    /// A long call that has not returned, and its thread.
    struct Running {
        const Call* call;
        Json arguments;
        std::thread thread = {};
    };

    /// Returns false if the program has ended.
    bool greet() {
        const auto first = reader_.next(options_.longest_greeting_seconds);
        if (!first && reader_.end() == MessageReader::End::silent)
            throw Error(ErrorCode::bad_request, "the program does not greet");
        if (!first) return false;
        const auto* hello = std::get_if<Hello>(&*first);
        if (hello == nullptr) throw ProtocolError("expected hello");
        require_same_version(Peer::program, *hello, options_.version);
        return true;
    }

    void serve(const ServedEngine& make_engine) {
        const std::unique_ptr<Engine> engine = make_engine(*this);
        try {
            while (const auto message = reader_.next()) {
                const auto* request = std::get_if<Request>(&*message);
                if (request == nullptr) throw ProtocolError("expected request");
                start(*engine, *request);
            }
        } catch (...) {
            end_long_calls(*engine);
            throw;
        }
        end_long_calls(*engine);
    }

    void start(Engine& engine, const Request& request) {
        const Call* call = find_call(request.call);
        if (call == nullptr) call = find_additional_call(request.call);
        if (call == nullptr)
            return refuse(request.id, {ErrorCode::unsupported,
                                       "unknown call \"" + request.call.substr(0, 80) + "\"",
                                       "",
                                       {{"unknown_call", request.call.substr(0, 80)}}});
        if (call->duration == CallDuration::short_call) return answer(engine, *call, request.id, request.arguments);
        join_ended();
        const std::lock_guard lock(mutex_);
        if (running_.size() >= kMostLongCalls)
            return refuse(request.id, {ErrorCode::unsupported, "too many requests at the same time"});
        if (running_.contains(request.id))
            return refuse(request.id, {ErrorCode::bad_request, "the id of a request is used twice"});
        Running& running = running_[request.id];
        running.call = call;
        running.arguments = request.arguments;
        running.thread = std::thread([this, &engine, &running, id = request.id] {
            answer(engine, *running.call, id, running.arguments);
            const std::lock_guard ending(mutex_);
            ended_.push_back(id);
        });
    }

    const Call* find_additional_call(const std::string& name) const {
        const auto found = std::ranges::find(options_.more_calls, name, &Call::name);
        return found == options_.more_calls.end() ? nullptr : &*found;
    }

    void refuse(RequestId id, const Error& error) {
        queue_.push(Answer{.id = id, .error = error});
        end_if_device_is_lost(error);
    }

    /// Before the queue starts the next job, which could not use the device either.
    void end_if_device_is_lost(const Error& error) {
        if (error.code() != ErrorCode::device_lost || !options_.end_process) return;
        queue_.wait_until_handled(queue_.push(Answer{.id = 0, .error = error}));
        options_.end_process(error);
    }

    void answer(Engine& engine, const Call& call, RequestId id, const Json& arguments) {
        const FrameSender send_frames = [&](const std::vector<FramePtr>& frames) {
            require_sendable(frames);
            for (std::vector<FramePtr>& group : split_frames(frames)) queue_.push(AnswerFrames{id, std::move(group)});
        };
        try {
            queue_.push(Answer{.id = id, .value = call.run(engine, arguments, send_frames)});
        } catch (...) {
            refuse(id, as_error(call.name));
        }
    }

    void join_ended() {
        std::vector<std::thread> threads;
        {
            const std::lock_guard lock(mutex_);
            for (const RequestId id : std::exchange(ended_, {}))
                threads.push_back(std::move(running_.extract(id).mapped().thread));
        }
        for (std::thread& thread : threads) thread.join();
    }

    void end_long_calls(Engine& engine) {
        {
            const std::lock_guard lock(mutex_);
            for (const auto& [id, running] : running_)
                if (running.call->stop) stop(engine, running);
        }
        // Threads take the mutex when they end, so they are joined without it. No thread is started any more.
        for (auto& [id, running] : running_) running.thread.join();
    }

    static void stop(Engine& engine, const Running& running) {
        try {
            running.call->stop(engine, running.arguments);
        } catch (const std::exception&) {
            return;  // the call itself refuses invalid arguments
        }
    }

    void write_messages() {
        for (;;) {
            const std::optional<Message> message = queue_.take(options_.heartbeat_seconds);
            if (!message && queue_.is_over()) return;
            if (!send(message ? *message : Message(Heartbeat{}))) break;
        }
        in_.stop_waiting();  // a program that reads no answers has ended, even if something holds its other stream open
        queue_.close();
        while (queue_.take(0)) continue;
    }

    /// Returns false if the program has ended.
    bool send(const Message& message) {
        try {
            return sender_.send(message);
        } catch (const ProtocolError& error) {
            const Error too_large(ErrorCode::internal, error.what());
            if (const auto* answer = std::get_if<Answer>(&message))
                return sender_.send(Answer{.id = answer->id, .error = too_large});
            return sender_.send(EventMessage{0, LogLine{LogLineLevel::error, error.what()}});
        }
    }

    ByteChannel in_;
    ByteChannel out_;
    MessageReader reader_{in_};
    MessageWriter sender_{out_};
    const ServeOptions options_;
    MessageQueue queue_;
    std::mutex mutex_;                      ///< guards the two members below
    std::map<RequestId, Running> running_;  ///< addresses stay valid
    std::vector<RequestId> ended_;          ///< calls in running_ whose threads are about to end
    std::thread writer_;                    ///< the last member: uses the others
};

EngineServer::EngineServer(ByteChannel in, ByteChannel out, ServeOptions options)
    : server_(std::make_unique<Server>(std::move(in), std::move(out), std::move(options))) {}

EngineServer::~EngineServer() = default;

RunObserver& EngineServer::observer() {
    return *server_;
}

void EngineServer::run(const ServedEngine& make_engine) {
    server_->run(make_engine);
}

}  // namespace kinescope::remote
