#include "tests/simulated_gpu/emulation.h"

#include <ucontext.h>

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace simulated_gpu {

Place place;

namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kStack = 32 * 1024;

/// A place where threads wait for each other.
struct Barrier {
    unsigned members = 0, arrived = 0, passed = 0;
};

class Block;
Block* running = nullptr;
void start_fiber();

/// The threads of one block. Switches between them with setjmp, because swapcontext makes a system call.
class Block {
public:
    Block(unsigned threads, const std::function<void()>& thread)
        : thread_(thread), fibers_(threads), warps_((threads + kWarp - 1) / kWarp) {
        static std::vector<std::unique_ptr<std::byte[]>> stacks;  // of all launches, because new memory takes time
        while (stacks.size() < threads) stacks.push_back(std::make_unique_for_overwrite<std::byte[]>(kStack));
        for (unsigned i = 0; i < threads; ++i) fibers_[i].stack = stacks[i].get();
    }

    bool run() {
        for (Fiber& fiber : fibers_)
            if (fiber.state == Fiber::State::ended) fiber.state = Fiber::State::started;
        all_ = {.members = static_cast<unsigned>(fibers_.size())};
        for (unsigned w = 0; w < warps_.size(); ++w)
            warps_[w] = {.members = std::min(kWarp, static_cast<unsigned>(fibers_.size()) - w * kWarp)};
        for (unsigned left = static_cast<unsigned>(fibers_.size()); left > 0;) {
            const unsigned before = progress_;
            for (current_ = 0; current_ < fibers_.size(); ++current_)
                if (fibers_[current_].state != Fiber::State::ended && !resume()) --left;
            if (progress_ == before) return false;
        }
        return true;
    }

    void await_block() { await(all_); }
    /// Uses two places in turn, because a thread can give its next value before others have read this one.
    unsigned exchange(unsigned value, unsigned other) {
        Barrier& warp = warps_[current_ / kWarp];
        const unsigned turn = warp.passed % 2;
        fibers_[current_].given[turn] = value;
        await(warp);
        return fibers_[other].given[turn];
    }
    /// Runs the thread with the number of this fiber in every block.
    void run_threads() {
        for (;;) {
            thread_();
            fibers_[current_].state = Fiber::State::ended;
            ++progress_;
            yield();
        }
    }

private:
    struct Fiber {
        enum class State { fresh, started, ended };
        std::byte* stack = nullptr;
        jmp_buf position;
        State state = State::fresh;
        unsigned given[2] = {};
    };

    /// Runs the current fiber until it waits or ends. Returns false if it has ended.
    bool resume() {
        Fiber& fiber = fibers_[current_];
        place.thread.x = current_;
        if (_setjmp(scheduler_) == 0) {
            if (fiber.state == Fiber::State::started) _longjmp(fiber.position, 1);
            fiber.state = Fiber::State::started;
            enter(fiber);
        }
        return fiber.state != Fiber::State::ended;
    }

    void enter(Fiber& fiber) {
        ucontext_t context;
        getcontext(&context);
        context.uc_stack.ss_sp = fiber.stack;
        context.uc_stack.ss_size = kStack;
        context.uc_link = nullptr;
        makecontext(&context, &start_fiber, 0);
        setcontext(&context);
    }

    void yield() {
        if (_setjmp(fibers_[current_].position) == 0) _longjmp(scheduler_, 1);
    }

    void await(Barrier& barrier) {
        const unsigned turn = barrier.passed;
        if (++barrier.arrived == barrier.members) {
            barrier.arrived = 0;
            ++barrier.passed;
            ++progress_;
        }
        while (barrier.passed == turn) yield();
    }

    const std::function<void()>& thread_;
    std::vector<Fiber> fibers_;
    std::vector<Barrier> warps_;
    Barrier all_;
    jmp_buf scheduler_;
    unsigned current_ = 0;
    unsigned progress_ = 0;  ///< number of passed barriers and ended threads
};

void start_fiber() {
    running->run_threads();
}

}  // namespace

void await_block() {
    running->await_block();
}

unsigned exchange_in_warp(unsigned value, unsigned other) {
    return running->exchange(value, other);
}

bool run_grid(unsigned blocks, unsigned threads, const std::function<void()>& thread) {
    Block block(threads, thread);
    running = &block;
    place.block_size.x = threads;
    place.grid_size.x = blocks;
    for (place.block.x = 0; place.block.x < blocks; ++place.block.x)
        if (!block.run()) return false;
    return true;
}

void require_aligned(const void* address, std::size_t bytes) {
    if (reinterpret_cast<std::uintptr_t>(address) % bytes == 0) return;
    std::fprintf(stderr, "a kernel accesses %zu bytes at %p\n", bytes, address);
    std::abort();
}

}  // namespace simulated_gpu
