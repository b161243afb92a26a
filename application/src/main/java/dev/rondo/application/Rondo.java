package dev.rondo.application;

import dev.rondo.condition.Cell;
import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.Signal;
import dev.rondo.condition.SignalHandler;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Barrier;
import dev.rondo.condition.sync.Latch;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Promise;
import dev.rondo.condition.sync.ReadWriteLock;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.time.TickHandler;
import dev.rondo.time.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// The methods of [Application] without an object, for the application whose task is running:
/// `import static dev.rondo.application.Rondo.*;`
///
/// Each throws [IllegalStateException] on a thread where no application is running.
public final class Rondo {

  private Rondo() {}

  private static Application app() {
    return Application.current();
  }

  /// See [Application#spawn(TaskCall)]. Never a suspension point.
  ///
  /// @param <T> the type of its result
  /// @param code may suspend at any depth
  /// @return the task
  public static <T extends @Nullable Object> Task<T> spawn(TaskCall<? extends T, ?> code) {
    return Scheduler.current().spawn(code);
  }

  /// See [Application#spawn(String, TaskCall)]. Never a suspension point.
  ///
  /// @param <T> the type of its result
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public static <T extends @Nullable Object> Task<T> spawn(
      String name, TaskCall<? extends T, ?> code) {
    return Scheduler.current().spawn(name, code);
  }

  /// See [Application#spawn(TaskAction)]. Never a suspension point.
  ///
  /// @param code may suspend at any depth
  /// @return the task
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static Task<Void> spawn(TaskAction<?> code) {
    return Scheduler.current().spawn(code);
  }

  /// See [Application#spawn(String, TaskAction)]. Never a suspension point.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static Task<Void> spawn(String name, TaskAction<?> code) {
    return Scheduler.current().spawn(name, code);
  }

  /// See [Application#newGroup(String)]. Never a suspension point.
  ///
  /// @param <T> the common type of its tasks' results
  /// @param name shown in reports
  /// @return the group, to be opened by its `run` or `call`
  public static <T extends @Nullable Object> TaskGroup<T> newGroup(String name) {
    return TaskGroup.create(Scheduler.current(), name);
  }

  /// See [Application#newGenerator(String, Generator.Body)]. Never a suspension point.
  ///
  /// @param <T> the type of its elements
  /// @param name shown in reports
  /// @param body may suspend at any depth
  /// @return the generator, to be closed unless it is iterated to its end
  public static <T extends @Nullable Object> Generator<T> newGenerator(
      String name, Generator.Body<T> body) {
    return Generator.create(Scheduler.current(), name, body);
  }

  /// See [Application#yield()]. *Always* a suspension point. (`yield` cannot be called without an
  /// object.)
  public static void yieldNow() {
    Scheduler.current().yield();
  }

  /// See [Application#await(Waitable)]. A *possible* suspension point.
  ///
  /// @param <T> the type of its result
  /// @param waitable what to wait for
  /// @return its result
  public static <T extends @Nullable Object> T await(Waitable<T> waitable) {
    return Scheduler.current().await(waitable);
  }

  /// See [Application#await(Waitable, Duration)]. A *possible* suspension point.
  ///
  /// @param <T> the type of its result
  /// @param waitable what to wait for
  /// @param timeout at least zero; centuries mean for ever
  /// @return its result
  /// @throws TimedOutException if it takes longer
  public static <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout) {
    return Scheduler.current().await(waitable, timeout);
  }

  /// See [Application#select]. A *possible* suspension point.
  ///
  /// @param <T> the common type of their results
  /// @param branches at least one
  /// @return which of them came first, and its result
  @SafeVarargs
  @SuppressWarnings("varargs") // handed on as they are
  public static <T extends @Nullable Object> Selection<T> select(
      Waitable<? extends T>... branches) {
    return Scheduler.current().select(branches);
  }

  /// See [Application#within(Duration, TaskCall)]. A suspension point if the code is one.
  ///
  /// @param <T> the type of its result
  /// @param <X> the checked exceptions that the code throws
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task
  /// @return the result of the code, even if it came late
  /// @throws TimedOutException if the code was ended by the limit
  /// @throws X any failure of the code
  public static <T extends @Nullable Object, X extends Exception> T within(
      Duration timeout, TaskCall<? extends T, X> code) throws X {
    return Scheduler.current().within(timeout, code);
  }

  /// [#within(Duration, TaskCall)] for code without a result. A suspension point if the code is
  /// one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task
  /// @throws TimedOutException if the code was ended by the limit
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static <X extends Exception> void within(Duration timeout, TaskAction<X> code) throws X {
    Scheduler.current().within(timeout, code);
  }

  /// See [Application#blocking(TaskCall)]. *Always* a suspension point.
  ///
  /// @param <T> the type of its result
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on a virtual thread
  /// @return the result of the call
  /// @throws X any failure of the call
  public static <T extends @Nullable Object, X extends Exception> T blocking(
      TaskCall<? extends T, X> call) throws X {
    return Scheduler.current().blocking(call);
  }

  /// [#blocking(TaskCall)] for a call without a result. *Always* a suspension point.
  ///
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on a virtual thread
  /// @throws X any failure of the call
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static <X extends Exception> void blocking(TaskAction<X> call) throws X {
    Scheduler.current().blocking(call);
  }

  /// See [Application#sleep(Duration)]. *Always* a suspension point.
  ///
  /// @param duration at least zero; zero is a yield, centuries mean for ever
  public static void sleep(Duration duration) {
    app().sleep(duration);
  }

  /// See [Application#timeout(Duration)]. Never a suspension point.
  ///
  /// @param limit at least zero, which removes the limit; centuries mean for ever
  public static void timeout(Duration limit) {
    app().timeout(limit);
  }

  /// See [Application#delay(Duration, TaskAction)]. Never a suspension point.
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @param code may suspend
  /// @return a timer, to cancel, to restart or to join it
  public static Timer delay(Duration delay, TaskAction<?> code) {
    return app().delay(delay, code);
  }

  /// See [Application#delay(Duration, TickHandler)]. Never a suspension point.
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @param code may suspend
  /// @return a timer, to cancel, to restart or to join it
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static Timer delay(Duration delay, TickHandler code) {
    return app().delay(delay, code);
  }

  /// See [Application#periodic(Duration, TaskAction)]. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round
  /// @param code may suspend; never runs twice at a time
  /// @return a timer, to cancel, to restart or to join it
  public static Timer periodic(Duration period, TaskAction<?> code) {
    return app().periodic(period, code);
  }

  /// See [Application#periodic(Duration, TickHandler)]. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round
  /// @param code may suspend; never runs twice at a time
  /// @return a timer, to cancel, to restart or to join it
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static Timer periodic(Duration period, TickHandler code) {
    return app().periodic(period, code);
  }

  /// See [Application#waitFor(BooleanSupplier)]. *Always* a suspension point.
  ///
  /// @param predicate must not suspend
  public static void waitFor(BooleanSupplier predicate) {
    app().waitFor(predicate);
  }

  /// See [Application#waitFor(Supplier)]. *Always* a suspension point.
  ///
  /// @param <T> the type of the value
  /// @param predicate returns `Optional.empty()` for "not yet"; must not suspend
  /// @return the value
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static <T> T waitFor(Supplier<Optional<T>> predicate) {
    return app().waitFor(predicate);
  }

  /// See [Application#when(BooleanSupplier, TaskAction)]. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param code may suspend
  /// @return a registration, to cancel it
  public static HandlerRegistration when(BooleanSupplier predicate, TaskAction<?> code) {
    return app().when(predicate, code);
  }

  /// See [Application#when(Supplier, SignalHandler)]. Never a suspension point.
  ///
  /// @param <T> the type of the value
  /// @param predicate returns `Optional.empty()` for "not yet"; must not suspend
  /// @param code receives the value; may suspend
  /// @return a registration, to cancel it
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static <T> HandlerRegistration when(
      Supplier<Optional<T>> predicate, SignalHandler<? super T> code) {
    return app().when(predicate, code);
  }

  /// See [Application#whenever(BooleanSupplier, TaskAction)]. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param code may suspend; never runs twice at a time
  /// @return a registration, to cancel it
  public static HandlerRegistration whenever(BooleanSupplier predicate, TaskAction<?> code) {
    return app().whenever(predicate, code);
  }

  /// See [Application#whenever(Supplier, SignalHandler)]. Never a suspension point.
  ///
  /// @param <T> the type of the value
  /// @param predicate returns `Optional.empty()` for "not yet"; must not suspend
  /// @param code receives the value; may suspend; never runs twice at a time
  /// @return a registration, to cancel it
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static <T> HandlerRegistration whenever(
      Supplier<Optional<T>> predicate, SignalHandler<? super T> code) {
    return app().whenever(predicate, code);
  }

  /// See [Application#signalOnPredicate(BooleanSupplier, Object)]. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param signalName any object; equal names denote the same signal
  /// @return a registration, to cancel it
  public static HandlerRegistration signalOnPredicate(
      BooleanSupplier predicate, Object signalName) {
    return app().signalOnPredicate(predicate, signalName);
  }

  /// See [Application#signalOnPredicate(Supplier, Object)]. Never a suspension point.
  ///
  /// @param <T> the type of the value
  /// @param predicate returns `Optional.empty()` for "not yet"; must not suspend
  /// @param signalName any object; equal names denote the same signal
  /// @return a registration, to cancel it
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static <T> HandlerRegistration signalOnPredicate(
      Supplier<Optional<T>> predicate, Object signalName) {
    return app().signalOnPredicate(predicate, signalName);
  }

  /// See [Application#newCell]. Never a suspension point.
  ///
  /// @param <T> the type of its value
  /// @param name shown in reports
  /// @param value its first value
  /// @return the cell
  public static <T extends @Nullable Object> Cell<T> newCell(String name, T value) {
    return app().newCell(name, value);
  }

  /// See [Application#waitForSignal(Object)]. *Always* a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return the payload of the signal
  public static @Nullable Object waitForSignal(Object signalName) {
    return app().waitForSignal(signalName);
  }

  /// See [Application#signalOne(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return whether a task was waiting
  public static boolean signalOne(Object signalName) {
    return app().signalOne(signalName);
  }

  /// See [Application#signalOne(Object, Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @param payload what [#waitForSignal(Object)] returns
  /// @return whether a task was waiting
  public static boolean signalOne(Object signalName, @Nullable Object payload) {
    return app().signalOne(signalName, payload);
  }

  /// See [Application#signalAll(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return how many tasks were waiting
  public static int signalAll(Object signalName) {
    return app().signalAll(signalName);
  }

  /// See [Application#signalAll(Object, Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @param payload what [#waitForSignal(Object)] returns
  /// @return how many tasks were waiting
  public static int signalAll(Object signalName, @Nullable Object payload) {
    return app().signalAll(signalName, payload);
  }

  /// See [Application#signalAllImmediate(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return how many tasks were waiting
  public static int signalAllImmediate(Object signalName) {
    return app().signalAllImmediate(signalName);
  }

  /// See [Application#signalAllImmediate(Object, Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @param payload what [#waitForSignal(Object)] returns
  /// @return how many tasks were waiting
  public static int signalAllImmediate(Object signalName, @Nullable Object payload) {
    return app().signalAllImmediate(signalName, payload);
  }

  /// See [Application#onSignal(Object, TaskAction)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @param code may suspend; never runs twice at a time
  /// @return a registration, to cancel it
  public static HandlerRegistration onSignal(Object signalName, TaskAction<?> code) {
    return app().onSignal(signalName, code);
  }

  /// See [Application#onSignal(Object, SignalHandler)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @param code may suspend; never runs twice at a time
  /// @return a registration, to cancel it
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static HandlerRegistration onSignal(
      Object signalName, SignalHandler<@Nullable Object> code) {
    return app().onSignal(signalName, code);
  }

  /// See [Application#newSignal(String)]. Never a suspension point.
  ///
  /// @param <T> the type of its payload
  /// @param name shown in reports
  /// @return the signal
  public static <T extends @Nullable Object> Signal<T> newSignal(String name) {
    return app().newSignal(name);
  }

  /// See [Application#newPromise(String)]. Never a suspension point.
  ///
  /// @param <T> the type of its value
  /// @param name shown in reports
  /// @return the promise, not fulfilled
  public static <T extends @Nullable Object> Promise<T> newPromise(String name) {
    return app().newPromise(name);
  }

  /// See [Application#newChannel(String)]. Never a suspension point.
  ///
  /// @param <T> the type of its elements
  /// @param name shown in reports
  /// @return the channel
  public static <T> Channel<T> newChannel(String name) {
    return app().newChannel(name);
  }

  /// See [Application#newChannel(String, int)]. Never a suspension point.
  ///
  /// @param <T> the type of its elements
  /// @param name shown in reports
  /// @param capacity the size of the buffer, at least one
  /// @return the channel
  public static <T> Channel<T> newChannel(String name, int capacity) {
    return app().newChannel(name, capacity);
  }

  /// See [Application#newMutex(String)]. Never a suspension point.
  ///
  /// @param name shown in reports
  /// @return the mutex, not locked
  public static Mutex newMutex(String name) {
    return app().newMutex(name);
  }

  /// See [Application#newReadWriteLock(String)]. Never a suspension point.
  ///
  /// @param name shown in reports
  /// @return the lock, not locked
  public static ReadWriteLock newReadWriteLock(String name) {
    return app().newReadWriteLock(name);
  }

  /// See [Application#newSemaphore(String, int)]. Never a suspension point.
  ///
  /// @param name shown in reports
  /// @param permits how many permits it has at first, at least zero
  /// @return the semaphore
  public static Semaphore newSemaphore(String name, int permits) {
    return app().newSemaphore(name, permits);
  }

  /// See [Application#newLatch(String, int)]. Never a suspension point.
  ///
  /// @param name shown in reports
  /// @param count at least zero
  /// @return the latch
  public static Latch newLatch(String name, int count) {
    return app().newLatch(name, count);
  }

  /// See [Application#newBarrier(String, int)]. Never a suspension point.
  ///
  /// @param name shown in reports
  /// @param parties how many tasks meet, at least one
  /// @return the barrier
  public static Barrier newBarrier(String name, int parties) {
    return app().newBarrier(name, parties);
  }

  /// See [Application#listen(int)]. Never a suspension point.
  ///
  /// @param port from 1 to 65535; 0 for any free port
  /// @return the listener
  /// @throws IOException if the port cannot be bound
  public static TcpListener listen(int port) throws IOException {
    return app().listen(port);
  }

  /// See [Application#connect(String, int)]. A *possible* suspension point; *always* one if the
  /// host is not a numeric address.
  ///
  /// @param host name or numeric address
  /// @param port from 1 to 65535
  /// @return the socket
  /// @throws IOException if the host does not exist, refuses, or cannot be reached
  public static TcpSocket connect(String host, int port) throws IOException {
    return app().connect(host, port);
  }

  /// See [Application#shutdownRequested()]. Never a suspension point.
  ///
  /// @return a waitable that fires when an orderly shutdown has begun
  public static Waitable<@Nullable Void> shutdownRequested() {
    return Scheduler.current().shutdownRequested();
  }

  /// See [Application#dump()]. Never a suspension point.
  ///
  /// @return a description of what every task is doing
  public static String dump() {
    return app().dump();
  }

  /// See [Application#stop()]. Never a suspension point.
  public static void stop() {
    app().stop();
  }

  /// See [Application#exit(int)]. Never a suspension point.
  ///
  /// @param code 0 for success
  public static void exit(int code) {
    app().exit(code);
  }
}
