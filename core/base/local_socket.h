#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/byte_channel.h"
#include "core/base/piped_child.h"

namespace kinescope {

/// One end of a connection between two programs of one user on one computer.
struct LocalConnection {
    ByteChannel in;
    ByteChannel out;
};

/// Accepts connections at a name in the file system. No port is opened.
class LocalListener {
public:
    /// Creates the socket; replaces the file of a listener that has ended. Its folder must belong to this user only,
    /// see make_private_folder. Throws Error(output_not_writable or disk_full).
    explicit LocalListener(std::filesystem::path socket);
    /// Deletes the socket.
    ~LocalListener();
    LocalListener(const LocalListener&) = delete;
    LocalListener& operator=(const LocalListener&) = delete;

    /// Waits this long for a program of this user. Writes to a connection whose reader stops reading for 60 s fail, so
    /// that a broken line cannot hold the events of hours.
    std::optional<LocalConnection> accept(double seconds);

private:
    std::filesystem::path socket_;
    int descriptor_ = -1;
};

/// Connects to a listener. nullopt: nobody listens.
std::optional<LocalConnection> connect_locally(const std::filesystem::path& socket);

/// The side that ends a relay.
enum class RelayEnd { parent, engine };
/// Copies bytes in both directions until one side ends.
RelayEnd relay(ParentChannels& parent, LocalConnection connection);

/// Creates a folder that only this user can use. Throws Error(output_not_writable or disk_full), also if the folder
/// exists and belongs to another user or is open to others.
void make_private_folder(const std::filesystem::path& folder);

/// The name of this computer in the network; for names of files.
std::string host_name();

/// A lock between processes that ends with this object or its process. On a file system without locks, it excludes
/// nobody, and the log says so.
class FileLock {
public:
    /// Waits until the lock is free. Throws Error(output_not_writable, or engine_lost after this time).
    FileLock(const std::filesystem::path& file, double seconds);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int descriptor_ = -1;
};

/// A program in a session of its own, which goes on when this process and its terminal or connection end.
class DetachedProgram {
public:
    /// Its input is empty; its output replaces `log`. Throws Error(engine_lost, output_not_writable or disk_full).
    DetachedProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& log);

    /// Returns how the program ended, or nullopt while it runs.
    std::optional<ChildStatus> status();

private:
    std::int64_t pid_ = 0;
    std::optional<ChildStatus> status_;
};

}  // namespace kinescope
