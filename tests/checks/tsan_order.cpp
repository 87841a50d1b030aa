// Tells the thread sanitizer in which order libraries run the functions of the program. OpenMP's runtime and Qt are
// built without the sanitizer, so that it does not see their locks and barriers. This library is preloaded; it replaces
// the functions that hand work to other threads, marks the order, and calls the original.

#include <dlfcn.h>

#include <functional>
#include <utility>

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

template <class Function>
Function* original(Function*, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
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

extern "C" {

void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags) {
    static const auto call = original(GOMP_parallel, "GOMP_parallel");
    Region region{work, data, 0, 0};
    publish(&region.start);
    call(run_region, &region, threads, flags);
    observe(&region.end);
}
}

#define KINESCOPE_REPLACES(symbol) __asm__(symbol)

// bool QMetaObject::invokeMethodImpl(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*)
bool invoke_method(void* object, void* slot, int connection, void* result) KINESCOPE_REPLACES(
    "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
bool invoke_method(void* object, void* slot, int connection, void* result) {
    static const auto call =
        original(invoke_method,
                 "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
    auto* ordered = new OrderedSlot{{1, run_slot}, static_cast<Slot*>(slot)};
    publish(slot);
    return call(object, ordered, connection, result);
}

// void QMetaObject::activate(QObject*, const QMetaObject*, int, void**)
void activate(void* sender, const void* meta, int signal, void** arguments)
    KINESCOPE_REPLACES("_ZN11QMetaObject8activateEP7QObjectPKS_iPPv");
void activate(void* sender, const void* meta, int signal, void** arguments) {
    static const auto call = original(activate, "_ZN11QMetaObject8activateEP7QObjectPKS_iPPv");
    publish(&signals);
    call(sender, meta, signal, arguments);
}

// bool QObject::event(QEvent*)
bool handle_event(void* object, void* event) KINESCOPE_REPLACES("_ZN7QObject5eventEP6QEvent");
bool handle_event(void* object, void* event) {
    static const auto call = original(handle_event, "_ZN7QObject5eventEP6QEvent");
    // Layout of QEvent: the table of virtual functions, then the type.
    if (static_cast<unsigned short*>(event)[4] == kMetaCallEvent) observe(&signals);
    return call(object, event);
}

// -- Qt: thread pools and semaphores --

// void QThreadPool::start(std::function<void()>, int)
void start_in_pool(void* pool, std::function<void()> work, int priority)
    KINESCOPE_REPLACES("_ZN11QThreadPool5startESt8functionIFvvEEi");
void start_in_pool(void* pool, std::function<void()> work, int priority) {
    static const auto call = original(start_in_pool, "_ZN11QThreadPool5startESt8functionIFvvEEi");
    // Nothing of the task is allocated or copied after it is published: these two pointers fit into the function
    // itself.
    auto* task = new std::function(std::move(work));
    publish(task);
    call(
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
bool wait_for_pool(void* pool, int milliseconds) KINESCOPE_REPLACES("_ZN11QThreadPool11waitForDoneEi");
bool wait_for_pool(void* pool, int milliseconds) {
    static const auto call = original(wait_for_pool, "_ZN11QThreadPool11waitForDoneEi");
    const bool done = call(pool, milliseconds);
    observe(pool);
    return done;
}

// QThreadPool::~QThreadPool()
void end_pool(void* pool) KINESCOPE_REPLACES("_ZN11QThreadPoolD1Ev");
void end_pool(void* pool) {
    static const auto call = original(end_pool, "_ZN11QThreadPoolD1Ev");
    call(pool);
    observe(pool);
}

// void QSemaphore::release(int)
void release_semaphore(void* semaphore, int count) KINESCOPE_REPLACES("_ZN10QSemaphore7releaseEi");
void release_semaphore(void* semaphore, int count) {
    static const auto call = original(release_semaphore, "_ZN10QSemaphore7releaseEi");
    publish(semaphore);
    call(semaphore, count);
}

// void QSemaphore::acquire(int)
void acquire_semaphore(void* semaphore, int count) KINESCOPE_REPLACES("_ZN10QSemaphore7acquireEi");
void acquire_semaphore(void* semaphore, int count) {
    static const auto call = original(acquire_semaphore, "_ZN10QSemaphore7acquireEi");
    call(semaphore, count);
    observe(semaphore);
}
