#pragma once

#include "core/protocol/message.h"
#include "core/protocol/special_codecs.h"

namespace kinescope::protocol {

template <>
struct Fields<Hello> {
    static constexpr const char* name = "hello";
    static constexpr std::tuple all{Field{"program", &Hello::program}, Field{"version", &Hello::version},
                                    Field{"protocol", &Hello::protocol}, Field{"schema", &Hello::schema},
                                    Field{"heartbeat_seconds", &Hello::heartbeat_seconds}};
};
/// So that the two versions can be named.
template <>
inline constexpr bool kIgnoresUnknownMembers<Hello> = true;
template <>
struct Fields<Request> {
    static constexpr const char* name = "request";
    static constexpr std::tuple all{Field{"id", &Request::id}, Field{"call", &Request::call},
                                    Field{"arguments", &Request::arguments}};
};
template <>
struct Fields<Answer> {
    static constexpr const char* name = "answer";
    static constexpr std::tuple all{Field{"id", &Answer::id}, Field{"value", &Answer::value},
                                    Field{"error", &Answer::error}};
};
template <>
struct Fields<AnswerFrames> {
    static constexpr const char* name = "answer_frames";
    static constexpr std::tuple all{Field{"id", &AnswerFrames::id}, Field{"frames", &AnswerFrames::frames}};
};
template <>
struct Fields<EventMessage> {
    static constexpr const char* name = "event";
    static constexpr std::tuple all{Field{"job", &EventMessage::job}, Field{"event", &EventMessage::event}};
};
template <>
struct Fields<Heartbeat> {
    static constexpr const char* name = "heartbeat";
    static constexpr std::tuple<> all{};
};

}  // namespace kinescope::protocol
