// Tells the thread sanitizer in which order libraries run the functions of the program. OpenMP's runtime and Qt are
// built without the sanitizer, so that it does not see their locks and barriers. This library is preloaded; it replaces
// the functions that hand work to other threads, marks the order, and calls the original.

#include <dlfcn.h>

#include <functional>
#include <utility>

/// Declares a function that replaces `symbol` of a library, and call_<name>(), which calls the replaced function.
#define KINESCOPE_REPLACE(result, name, parameters, symbol)                                            \
    result name parameters __asm__(symbol);                                                            \
    template <class... Arguments>                                                                      \
    result call_##name(Arguments&&... arguments) {                                                     \
        static const auto replaced = reinterpret_cast<result(*) parameters>(dlsym(RTLD_NEXT, symbol)); \
        return replaced(std::forward<Arguments>(arguments)...);                                        \
    }

extern "C" {
// Weak, because programs without the sanitizer, such as a shell, load this library, too.
__attribute__((weak)) void __tsan_acquire(void* address);
__attribute__((weak)) void __tsan_release(void* address);
}

namespace {

/// What happens before publish(address) in one thread happens before what follows observe(address) in another.
void publish(void* address) {
    if (__tsan_release) __tsan_release(address);
}

void observe(void* address) {
    if (__tsan_acquire) __tsan_acquire(address);
}

// -- OpenMP --

struct Region {
    void (*work)(void*);
    void* data;
    char start, end;
};

void run_region(void* pointer) {
    auto* region = static_cast<Region*>(pointer);
    observe(&region->start);
    region->work(region->data);
    publish(&region->end);
}

// -- Qt: functors that run in the thread of an object --

/// Layout of QtPrivate::QSlotObjectBase.
struct Slot {
    enum Operation { destroy, call };
    using Run = void (*)(int operation, Slot* slot, void* receiver, void** arguments, bool* result);

    int references;
    Run run;
};

/// Runs another slot after what happened before it was sent, and destroys it after its call in either thread.
struct OrderedSlot : Slot {
    Slot* sent;
};

void run_slot(int operation, Slot* slot, void* receiver, void** arguments, bool* result) {
    auto* ordered = static_cast<OrderedSlot*>(slot);
    observe(ordered->sent);
    ordered->sent->run(operation, ordered->sent, receiver, arguments, result);
    if (operation == Slot::destroy)
        delete ordered;
    else
        publish(ordered->sent);
}

/// One address for all signals, because a connection through the queue has no object of its own.
char signals;
constexpr int kMetaCallEvent = 43;

}  // namespace

KINESCOPE_REPLACE(void, run_in_parallel, (void (*work)(void*), void* data, unsigned threads, unsigned flags),
                  "GOMP_parallel")
void run_in_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags) {
    Region region{work, data, 0, 0};
    publish(&region.start);
    call_run_in_parallel(run_region, &region, threads, flags);
    observe(&region.end);
}

// bool QMetaObject::invokeMethodImpl(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*)
KINESCOPE_REPLACE(bool, invoke_method, (void* object, void* slot, int connection, void* result),
                  "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv")
bool invoke_method(void* object, void* slot, int connection, void* result) {
    auto* ordered = new OrderedSlot{{1, run_slot}, static_cast<Slot*>(slot)};
    publish(slot);
    return call_invoke_method(object, ordered, connection, result);
}

// void QMetaObject::activate(QObject*, const QMetaObject*, int, void**)
KINESCOPE_REPLACE(void, activate, (void* sender, const void* meta, int signal, void** arguments),
                  "_ZN11QMetaObject8activateEP7QObjectPKS_iPPv")
void activate(void* sender, const void* meta, int signal, void** arguments) {
    publish(&signals);
    call_activate(sender, meta, signal, arguments);
}

// bool QObject::event(QEvent*)
KINESCOPE_REPLACE(bool, handle_event, (void* object, void* event), "_ZN7QObject5eventEP6QEvent")
bool handle_event(void* object, void* event) {
    // Layout of QEvent: the table of virtual functions, then the type.
    if (static_cast<unsigned short*>(event)[4] == kMetaCallEvent) observe(&signals);
    return call_handle_event(object, event);
}

// -- Qt: thread pools and semaphores --

// void QThreadPool::start(std::function<void()>, int)
KINESCOPE_REPLACE(void, start_in_pool, (void* pool, std::function<void()> work, int priority),
                  "_ZN11QThreadPool5startESt8functionIFvvEEi")
void start_in_pool(void* pool, std::function<void()> work, int priority) {
    // Nothing of the task is allocated or copied after it is published: these two pointers fit into the function
    // itself.
    auto* task = new std::function(std::move(work));
    publish(task);
    call_start_in_pool(
        pool,
        [pool, task] {
            observe(task);
            (*task)();
            delete task;
            publish(pool);
        },
        priority);
}

// bool QThreadPool::waitForDone(int)
KINESCOPE_REPLACE(bool, wait_for_pool, (void* pool, int milliseconds), "_ZN11QThreadPool11waitForDoneEi")
bool wait_for_pool(void* pool, int milliseconds) {
    const bool done = call_wait_for_pool(pool, milliseconds);
    observe(pool);
    return done;
}

// QThreadPool::~QThreadPool()
KINESCOPE_REPLACE(void, end_pool, (void* pool), "_ZN11QThreadPoolD1Ev")
void end_pool(void* pool) {
    call_end_pool(pool);
    observe(pool);
}

// void QSemaphore::release(int)
KINESCOPE_REPLACE(void, release_semaphore, (void* semaphore, int count), "_ZN10QSemaphore7releaseEi")
void release_semaphore(void* semaphore, int count) {
    publish(semaphore);
    call_release_semaphore(semaphore, count);
}

// void QSemaphore::acquire(int)
KINESCOPE_REPLACE(void, acquire_semaphore, (void* semaphore, int count), "_ZN10QSemaphore7acquireEi")
void acquire_semaphore(void* semaphore, int count) {
    call_acquire_semaphore(semaphore, count);
    observe(semaphore);
}
