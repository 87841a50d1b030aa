#include "core/gpu_support/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/api/error.h"
#include "core/api/version.h"
#include "core/api/wrong_address.h"
#include "core/base/full_disk.h"
#include "core/base/open_file.h"
#include "core/base/sha256.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

constexpr int kFirstTries = 2;  ///< maximum number of tries while the server has not sent anything
constexpr char kRepeatHint[] = "The downloaded data is kept. Repeat the command to continue.";

/// Returns the host of a URL for a message.
std::string host_of(const std::string& url) {
    const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parsed(curl_url(), curl_url_cleanup);
    char* host = nullptr;
    if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK ||
        curl_url_get(parsed.get(), CURLUPART_HOST, &host, 0) != CURLUE_OK)
        return "the server";
    const std::string text = host;
    curl_free(host);
    return text;
}

/// What is at fault if a download fails.
enum class Culprit { network, address };

Error failed(const std::string& url, const std::string& reason, const std::string& hint,
             Culprit culprit = Culprit::network) {
    std::map<std::string, std::string> arguments{{"url", shown_url(url)}};
    if (culprit == Culprit::address) arguments["cause"] = kWrongAddress;
    return {ErrorCode::file_unreadable, "Cannot download " + shown_url(url) + ": " + reason, hint,
            std::move(arguments)};
}

[[noreturn]] void throw_not_written(const fs::path& file, int error) {
    if (const Shortage shortage = shortage_of(error); shortage != Shortage::none)
        throw full_disk(shortage, {.file = file, .after = kRepeatHint});
    throw Error(ErrorCode::output_not_writable,
                "Cannot write " + file.string() + ": " + std::generic_category().message(error),
                "Check that you have write permission for that folder.", {{"path", file.string()}});
}

/// The unfinished file and the hash of its contents.
class Part {
public:
    explicit Part(fs::path file) : file_(std::move(file)) {
        check(part_.open(file_, OpenFile::Existing::kept));
        read_content();
    }

    std::int64_t bytes() const { return bytes_; }

    void append(std::span<const std::byte> bytes) {
        hash_.add(bytes);
        check(part_.write(bytes));
        bytes_ += static_cast<std::int64_t>(bytes.size());
    }

    void restart() {
        check(part_.clear());
        hash_ = {};
        bytes_ = 0;
    }

    /// Writes all data to the disk and returns the SHA-256. Nothing can be appended afterwards.
    std::string finish() {
        check(part_.sync());
        return hash_.finish();
    }

private:
    void check(int error_number) const {
        if (error_number != 0) throw_not_written(file_, error_number);
    }

    void read_content() {
        std::vector<std::byte> block(std::size_t{1} << 20);
        while (true) {
            const std::int64_t count = part_.read(block);
            if (count < 0) throw_not_written(file_, static_cast<int>(-count));
            if (count == 0) return;
            hash_.add(std::span(block).first(static_cast<std::size_t>(count)));
            bytes_ += count;
        }
    }

    fs::path file_;
    OpenFile part_;
    Sha256 hash_;
    std::int64_t bytes_ = 0;
};

/// Returns the file of trusted certificates on this system, or an empty string for libcurl's default. libcurl is built
/// for one distribution, but this program may run on another.
std::string certificate_file() {
    for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
        if (const char* file = std::getenv(variable); file != nullptr && *file != 0) return file;
    for (const char* file : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                             "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"}) {
        std::error_code ignored;
        if (fs::exists(file, ignored)) return file;
    }
    return {};
}

/// Receives the body of one response.
class Receiver {
public:
    virtual ~Receiver() = default;
    /// Returns the number of bytes received so far, which a range request skips.
    virtual std::int64_t received() const = 0;
    virtual bool is_complete() const = 0;
    /// Called before the body arrives. `length` is its length in bytes, or -1 if it is unknown.
    virtual void begin(std::int64_t length) = 0;
    virtual void receive(std::span<const std::byte> bytes) = 0;
    virtual void restart() = 0;
};

/// One request. Exceptions must not pass through libcurl, so they are stored in `failure_`, and perform() rethrows
/// them.
class Request {
public:
    Request(const std::string& url, const std::string& accept, Receiver& receiver, const HttpObserver& observer,
            const HttpOptions& options)
        : receiver_(receiver), observer_(observer), curl_(curl_easy_init(), curl_easy_cleanup) {
        if (!curl_) throw Error(ErrorCode::internal, "libcurl does not start");
        if (!accept.empty()) headers_.reset(curl_slist_append(nullptr, ("Accept: " + accept).c_str()));
        set(CURLOPT_URL, url.c_str());
        set(CURLOPT_HTTPHEADER, headers_.get());
        set(CURLOPT_USERAGENT, user_agent_.c_str());
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_REDIR_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "http,https");
        set(CURLOPT_FOLLOWLOCATION, 1L);
        set(CURLOPT_MAXREDIRS, 10L);
        set(CURLOPT_FAILONERROR, 1L);
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options.stall.count()));
        set(CURLOPT_LOW_SPEED_LIMIT, 1L);
        set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall.count()));
        set(CURLOPT_ERRORBUFFER, reason_.data());
        if (const std::string file = certificate_file(); !file.empty()) set(CURLOPT_CAINFO, file.c_str());
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &Request::on_progress);
        set(CURLOPT_XFERINFODATA, this);
        set(CURLOPT_WRITEFUNCTION, &Request::on_body);
        set(CURLOPT_WRITEDATA, this);
        set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(receiver.received()));
    }

    CURLcode perform() {
        const CURLcode code = curl_easy_perform(curl_.get());
        if (failure_) std::rethrow_exception(failure_);
        return code;
    }

    long status() const {
        long status = 0;
        curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
        return status;
    }

    /// Returns the URL after redirects.
    std::string url() const {
        const char* url = nullptr;
        curl_easy_getinfo(curl_.get(), CURLINFO_EFFECTIVE_URL, &url);
        return url == nullptr ? "" : url;
    }

    std::string reason(CURLcode code) const {
        return reason_[0] != 0 ? std::string(reason_.data()) : std::string(curl_easy_strerror(code));
    }

private:
    template <class Value>
    void set(CURLoption option, Value value) {
        curl_easy_setopt(curl_.get(), option, value);
    }

    template <class Work>
    bool guarded(Work work) {
        try {
            work();
            return true;
        } catch (...) {
            failure_ = std::current_exception();
            return false;
        }
    }

    static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        auto& request = *static_cast<Request*>(self);
        return request.guarded([&] { request.observer_(request.receiver_.received()); }) ? 0 : 1;
    }

    static std::size_t on_body(char* data, std::size_t, std::size_t count, void* self) {
        auto& request = *static_cast<Request*>(self);
        const bool taken = request.guarded([&] {
            if (!std::exchange(request.began_, true)) request.receiver_.begin(request.length());
            request.receiver_.receive(std::as_bytes(std::span(data, count)));
        });
        return taken ? count : 0;
    }

    std::int64_t length() const {
        curl_off_t length = -1;
        curl_easy_getinfo(curl_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
        return length;
    }

    Receiver& receiver_;
    const HttpObserver& observer_;
    std::string user_agent_ = "Kinescope/" + std::string(kVersion);
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
    struct FreeHeaders {
        void operator()(curl_slist* list) const { curl_slist_free_all(list); }
    };
    std::unique_ptr<curl_slist, FreeHeaders> headers_;
    std::array<char, CURL_ERROR_SIZE> reason_{};
    std::exception_ptr failure_;
    bool began_ = false;
};

enum class Outcome { done, restart, retry, give_up };

Outcome judge(CURLcode code, long status) {
    switch (code) {
        case CURLE_OK:
            return Outcome::done;
        case CURLE_RANGE_ERROR:  // the server does not support ranges
            return Outcome::restart;
        case CURLE_HTTP_RETURNED_ERROR:
            if (status == 416) return Outcome::restart;
            return status == 408 || status == 425 || status == 429 || status >= 500 ? Outcome::retry : Outcome::give_up;
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_PARTIAL_FILE:
        case CURLE_OPERATION_TIMEDOUT:
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM:
            return Outcome::retry;
        default:
            return Outcome::give_up;
    }
}

/// Returns true if the server refuses the address, or if there can be no such address.
bool is_of_address(CURLcode code, long status) {
    constexpr long kProxyLogin = 407;
    if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL) return true;
    const bool is_refused = code == CURLE_HTTP_RETURNED_ERROR && status >= 400 && status < 500;
    return is_refused && status != kProxyLogin && judge(code, status) == Outcome::give_up;
}

Error failure_of(const std::string& url, CURLcode code, long status, const std::string& reason) {
    if (code == CURLE_OK) return failed(url, "the connection was closed before the end of the file", kRepeatHint);
    const Culprit culprit = is_of_address(code, status) ? Culprit::address : Culprit::network;
    if (code == CURLE_HTTP_RETURNED_ERROR)
        return failed(url, "the server returned status " + std::to_string(status), "", culprit);
    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
        return failed(url, "the certificate of " + host_of(url) + " is not trusted (" + reason + ")",
                      "If your network uses its own certificates, set SSL_CERT_FILE to a file that contains them.");
    if (culprit == Culprit::address) return failed(url, reason, "Check the address.", culprit);
    return failed(url, reason, "Check the network connection and the proxy settings. " + std::string(kRepeatHint));
}

void start_libcurl() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (started != CURLE_OK) throw Error(ErrorCode::internal, curl_easy_strerror(started));
}

/// Waits in short intervals, so that the observer can stop the download.
void wait(std::chrono::milliseconds pause, const Receiver& receiver, const HttpObserver& observer) {
    constexpr std::chrono::milliseconds kPiece{100};
    for (; pause > std::chrono::milliseconds{0}; pause -= std::min(pause, kPiece)) {
        observer(receiver.received());
        std::this_thread::sleep_for(std::min(pause, kPiece));
    }
}

/// Repeats the request until the body is complete. Returns the URL after redirects.
std::string fetch(const std::string& url, const std::string& accept, Receiver& receiver, const HttpObserver& observer,
                  const HttpOptions& options) {
    start_libcurl();
    const std::int64_t before = receiver.received();
    std::int64_t most = before;
    for (int tries = 1;; ++tries) {
        Request request(url, accept, receiver, observer, options);
        const CURLcode code = request.perform();
        const Outcome outcome = judge(code, request.status());
        if (outcome == Outcome::done && receiver.is_complete()) return request.url();
        if (receiver.received() > most) tries = 0;
        most = std::max(most, receiver.received());
        const int max_tries = most > before ? options.max_tries : std::min(options.max_tries, kFirstTries);
        if (outcome == Outcome::give_up || tries >= max_tries)
            throw failure_of(url, code, request.status(), request.reason(code));
        if (outcome == Outcome::restart) {
            receiver.restart();
        } else {
            wait(options.retry_pause, receiver, observer);
        }
    }
}

class FileReceiver final : public Receiver {
public:
    FileReceiver(const HttpFile& what, Part& part) : what_(what), part_(part) {}

    std::int64_t received() const override { return part_.bytes(); }
    bool is_complete() const override { return part_.bytes() == what_.bytes; }
    void begin(std::int64_t length) override {
        if (length >= 0) require_length(part_.bytes() + length);
    }
    void receive(std::span<const std::byte> bytes) override {
        if (part_.bytes() + static_cast<std::int64_t>(bytes.size()) > what_.bytes)
            require_length(part_.bytes() + static_cast<std::int64_t>(bytes.size()));
        part_.append(bytes);
    }
    void restart() override { part_.restart(); }

private:
    void require_length(std::int64_t length) const {
        if (length == what_.bytes) return;
        throw failed(what_.url,
                     "the server offers a file of " + std::to_string(length) +
                         " bytes; expected: " + std::to_string(what_.bytes),
                     "The server may have another file under this name.");
    }

    const HttpFile& what_;
    Part& part_;
};

class TextReceiver final : public Receiver {
public:
    TextReceiver(const std::string& url, std::int64_t max_bytes) : url_(url), max_bytes_(max_bytes) {}

    /// A document is always requested from its beginning.
    std::int64_t received() const override { return 0; }
    bool is_complete() const override { return true; }
    void begin(std::int64_t) override { text_.clear(); }
    void receive(std::span<const std::byte> bytes) override {
        if (static_cast<std::int64_t>(text_.size() + bytes.size()) > max_bytes_)
            throw failed(url_, "it has more than " + std::to_string(max_bytes_) + " bytes", "", Culprit::address);
        text_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void restart() override {}

    std::string take() { return std::move(text_); }

private:
    const std::string& url_;
    std::int64_t max_bytes_;
    std::string text_;
};

}  // namespace

fs::path part_of(const fs::path& file) {
    fs::path part = file;
    part += ".part";
    return part;
}

void http_download(const HttpFile& what, const fs::path& file, const HttpObserver& observer,
                   const HttpOptions& options) {
    Part part(part_of(file));
    if (part.bytes() > what.bytes) part.restart();
    FileReceiver receiver(what, part);
    if (part.bytes() < what.bytes) fetch(what.url, "", receiver, observer, options);
    const std::int64_t bytes = part.bytes();
    if (const std::string sha256 = part.finish(); bytes != what.bytes || sha256 != what.sha256) {
        fs::remove(part_of(file));
        throw Error(ErrorCode::file_unreadable,
                    "Cannot download " + shown_url(what.url) + ": the file is damaged: its SHA-256 is " + sha256 +
                        " instead of " + what.sha256,
                    "The damaged download is deleted. Repeat the command; if it fails again, use another index.",
                    {{"url", shown_url(what.url)}, {"sha256", sha256}});
    }
    observer(bytes);
    std::error_code error;
    fs::rename(part_of(file), file, error);
    if (error) throw_not_written(file, error.value());
}

HttpDocument http_get(const std::string& url, const std::string& accept, std::int64_t max_bytes,
                      const HttpObserver& observer, const HttpOptions& options) {
    TextReceiver receiver(url, max_bytes);
    std::string final_url = fetch(url, accept, receiver, observer, options);
    return {std::move(final_url), receiver.take()};
}

std::string shown_url(const std::string& url) {
    const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parts(curl_url(), curl_url_cleanup);
    bool is_url = curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
    for (const CURLUPart hidden :
         {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_QUERY, CURLUPART_FRAGMENT})
        is_url = is_url && curl_url_set(parts.get(), hidden, nullptr, 0) == CURLUE_OK;
    char* text = nullptr;
    if (is_url && curl_url_get(parts.get(), CURLUPART_URL, &text, 0) == CURLUE_OK) {
        std::string shown = text;
        curl_free(text);
        return shown;
    }
    const auto scheme = url.find("://");
    const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    std::string rest = url.substr(begin);
    rest.erase(0, rest.rfind('@') + 1);  // erases nothing without an @
    return url.substr(0, begin) + rest.substr(0, rest.find_first_of("?#"));
}

std::string resolve_url(const std::string& document, const std::string& reference) {
    const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
    char* text = nullptr;
    if (curl_url_set(url.get(), CURLUPART_URL, document.c_str(), 0) != CURLUE_OK ||
        curl_url_set(url.get(), CURLUPART_URL, reference.c_str(), 0) != CURLUE_OK ||
        curl_url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK)
        return {};
    std::string resolved = text;
    curl_free(text);
    return resolved;
}

}  // namespace kinescope
