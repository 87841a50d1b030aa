#include "tests/simulated_gpu/emulation.h"

#ifndef __x86_64__
#include <ucontext.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#ifdef __x86_64__
// Saves the registers that a function has to keep, and the stack pointer in *from. Continues with the stack `to`.
asm(R"(
    .text
    .type simulated_gpu_switch_stacks, @function
simulated_gpu_switch_stacks:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .size simulated_gpu_switch_stacks, . - simulated_gpu_switch_stacks
)");
extern "C" void simulated_gpu_switch_stacks(void** from, void* to);
#endif

namespace simulated_gpu {

Place place;

namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kStack = 32 * 1024 + 64;  // the tops of all stacks fit into a cache with few ways

#ifdef __x86_64__
/// Where a stack continues. swapcontext, which every processor has, makes a system call.
class Position {
public:
    Position() = default;
    /// The start of a function on a new stack.
    Position(std::byte* stack, void (*function)()) {
        constexpr std::size_t kAlignment = 16, kRegisters = 6;
        const auto end = reinterpret_cast<std::uintptr_t>(stack + kStack) / kAlignment * kAlignment;
        auto* const address = reinterpret_cast<void (**)()>(end - kAlignment);
        *address = function;
        top_ = address - kRegisters;
    }
    void leave_for(const Position& other) { simulated_gpu_switch_stacks(&top_, other.top_); }

private:
    void* top_ = nullptr;
};
#else
class Position {
public:
    Position() = default;
    Position(std::byte* stack, void (*function)()) {
        getcontext(&context_);
        context_.uc_stack.ss_sp = stack;
        context_.uc_stack.ss_size = kStack;
        context_.uc_link = nullptr;
        makecontext(&context_, function, 0);
    }
    void leave_for(const Position& other) { swapcontext(&context_, &other.context_); }

private:
    ucontext_t context_ = {};
};
#endif

/// A place where threads wait for each other.
struct Barrier {
    unsigned members = 0, arrived = 0, passed = 0;
};

class Block;
Block* running = nullptr;
void start_fiber();

/// The threads of one block.
class Block {
public:
    Block(unsigned threads, const std::function<void()>& thread)
        : thread_(thread), fibers_(threads), warps_((threads + kWarp - 1) / kWarp) {
        static std::vector<std::unique_ptr<std::byte[]>> stacks;  // of all launches, because new memory takes time
        while (stacks.size() < threads) stacks.push_back(std::make_unique_for_overwrite<std::byte[]>(kStack));
        for (unsigned i = 0; i < threads; ++i) fibers_[i].position = Position(stacks[i].get(), &start_fiber);
    }

    bool run() {
        for (Fiber& fiber : fibers_) fiber.has_ended = false;
        left_ = static_cast<unsigned>(fibers_.size());
        all_ = {.members = left_};
        for (unsigned w = 0; w < warps_.size(); ++w) warps_[w] = {.members = std::min(kWarp, left_ - w * kWarp)};
        while (left_ > 0) {
            const unsigned before = progress_;
            for (unsigned w = 0; w < warps_.size(); ++w) run_warp(w);
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
            fibers_[current_].has_ended = true;
            --left_;
            ++progress_;
            yield();
        }
    }

private:
    struct Fiber {
        Position position;
        const Barrier* awaited = nullptr;
        unsigned turn = 0;  ///< of the awaited barrier
        bool has_ended = false;
        unsigned given[2] = {};

        bool can_run() const { return !has_ended && (awaited == nullptr || awaited->passed != turn); }
    };

    /// Runs the threads of a warp until all of them wait for other warps or have ended. The stacks of a warp fit into
    /// the cache.
    void run_warp(unsigned warp) {
        const unsigned first = warp * kWarp;
        end_ = first + warps_[warp].members;
        for (bool has_run = true; has_run;) {
            has_run = false;
            for (current_ = first; current_ < end_; ++current_) {
                if (!fibers_[current_].can_run()) continue;
                has_run = true;
                place.thread.x = current_;
                scheduler_.leave_for(fibers_[current_].position);
            }
        }
    }

    /// Continues with the next thread of the warp, or with the scheduler if that thread has to wait.
    void yield() {
        Position& position = fibers_[current_].position;
        if (current_ + 1 == end_ || !fibers_[current_ + 1].can_run()) return position.leave_for(scheduler_);
        place.thread.x = ++current_;
        position.leave_for(fibers_[current_].position);
    }

    void await(Barrier& barrier) {
        if (++barrier.arrived == barrier.members) {
            barrier.arrived = 0;
            ++barrier.passed;
            ++progress_;
            return;
        }
        Fiber& fiber = fibers_[current_];
        fiber.awaited = &barrier;
        fiber.turn = barrier.passed;
        yield();
        fiber.awaited = nullptr;
    }

    const std::function<void()>& thread_;
    std::vector<Fiber> fibers_;
    std::vector<Barrier> warps_;
    Barrier all_;
    Position scheduler_;
    unsigned current_ = 0;
    unsigned end_ = 0;       ///< of the warp that runs
    unsigned left_ = 0;      ///< number of threads that have not ended
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
