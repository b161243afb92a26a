package dev.rondo.application;

import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.condition.WaitForSignal;
import dev.rondo.condition.sync.Promise;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.AddOn;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Waitable;
import dev.rondo.time.Timer;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The plain words of an [Application]: each a call of the scheduler or of an add-on, with nothing
/// of its own. Apart from it, so that what an application *does* - run, stop, close - is a page.
public abstract sealed class Words permits Application {

  final Scheduler scheduler;
  final WaitForTime time;

  Words(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.time = WaitForTime.on(scheduler);
  }

  // The parts.

  /// {@return what runs the tasks}
  public Scheduler scheduler() {
    return scheduler;
  }

  /// {@return the add-on for timers and sleeping}
  public WaitForTime time() {
    return time;
  }

  /// {@return the add-on for predicates} The first call installs it.
  public WaitForCondition conditions() {
    return WaitForCondition.on(scheduler);
  }

  /// {@return the add-on for signals} The first call installs it.
  public WaitForSignal signals() {
    return WaitForSignal.on(scheduler);
  }

  /// {@return the add-on for sockets} The first call installs it.
  public WaitForIO io() {
    return WaitForIO.on(scheduler);
  }

  /// Adds an add-on. Never a suspension point.
  ///
  /// @param addOn one of its class
  /// @return the task it runs as
  /// @throws IllegalStateException if there is one of its class already
  public StepTask<Void> install(AddOn addOn) {
    return scheduler.install(addOn);
  }

  /// {@return the add-on of that class; null if there is none}
  ///
  /// @param <A> the add-on's class
  /// @param type the add-on's class, or an interface of it
  public <A> @Nullable A addOn(Class<A> type) {
    return scheduler.addOn(type);
  }

  // Tasks.

  /// Begins a task; the caller keeps its turn. Never a suspension point.
  ///
  /// @param <T> what it results in
  /// @param code may suspend at any depth
  /// @return the task
  public <T extends @Nullable Object> Task<T> spawn(Callable<? extends T> code) {
    return scheduler.spawn(code);
  }

  /// Begins a task with a name; the caller keeps its turn. Never a suspension point.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public <T extends @Nullable Object> Task<T> spawn(String name, Callable<? extends T> code) {
    return scheduler.spawn(name, code);
  }

  /// Begins a task without a result; the caller keeps its turn. Never a suspension point.
  ///
  /// @param code may suspend at any depth
  /// @return the task
  public Task<Void> spawn(TaskAction code) {
    return scheduler.spawn(code);
  }

  /// Begins a task with a name and without a result; the caller keeps its turn. Never a suspension
  /// point.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public Task<Void> spawn(String name, TaskAction code) {
    return scheduler.spawn(name, code);
  }

  /// Makes a group: tasks that end before the block does that spawned them, and where the failure
  /// of one cancels the others. Never a suspension point.
  ///
  /// @param <T> what all its tasks' results have in common
  /// @param name shown in reports
  /// @return the group, to be opened by its `run` or `call`
  public <T extends @Nullable Object> TaskGroup<T> newGroup(String name) {
    return scheduler.newGroup(name);
  }

  /// Makes a promise: a value that comes once, also from another thread. Never a suspension point.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @return the promise, not fulfilled
  public <T extends @Nullable Object> Promise<T> newPromise(String name) {
    return new Promise<>(scheduler, name);
  }

  /// Lets others run. *Always* a suspension point.
  public void yield() {
    scheduler.yield();
  }

  /// Waits for something. A *possible* suspension point, see [Scheduler#await(Waitable)].
  ///
  /// @param <T> what it results in
  /// @param waitable what to wait for
  /// @return what it delivered
  public <T extends @Nullable Object> T await(Waitable<T> waitable) {
    return scheduler.await(waitable);
  }

  /// Waits for something with a limit. A *possible* suspension point.
  ///
  /// @param <T> what it results in
  /// @param waitable what to wait for
  /// @param timeout at least zero; centuries mean for ever
  /// @return what it delivered
  /// @throws TimeoutException if it did not come in time
  public <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout) {
    return scheduler.await(waitable, timeout);
  }

  /// Waits for what comes first. A *possible* suspension point, see [Scheduler#select].
  ///
  /// @param <T> what they result in
  /// @param branches at least one
  /// @return which, and what it delivered
  @SafeVarargs
  @SuppressWarnings("varargs") // handed on as they are
  public final <T extends @Nullable Object> Selection<T> select(Waitable<? extends T>... branches) {
    return scheduler.select(branches);
  }

  /// Runs code with a limit. A suspension point if the code is one.
  ///
  /// @param <T> what it results in
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task
  /// @return what the code returns, also if it was late
  /// @throws TimeoutException if the code gave way to the limit
  /// @throws Exception whatever the code throws
  public <T extends @Nullable Object> T within(Duration timeout, Callable<? extends T> code)
      throws Exception {
    return scheduler.within(timeout, code);
  }

  /// Makes a blocking call elsewhere and waits for it. *Always* a suspension point.
  ///
  /// @param <T> what it results in
  /// @param call runs on a virtual thread
  /// @return what it returned
  /// @throws Exception whatever it threw
  public <T extends @Nullable Object> T blocking(Callable<? extends T> call) throws Exception {
    return scheduler.blocking(call);
  }

  // Time.

  /// Waits. *Always* a suspension point.
  ///
  /// @param duration at least zero; zero is a yield, centuries mean for ever
  public void sleep(Duration duration) {
    time.sleep(duration);
  }

  /// Limits all that the current task waits for from now on, until it says otherwise; for a block
  /// of code [#within] is safer. See [WaitForTime#timeout]. Never a suspension point.
  ///
  /// @param limit at least zero, which takes it back; centuries mean for ever
  public void timeout(Duration limit) {
    time.timeout(limit);
  }

  /// Runs code once, later, as a task of its own. Never a suspension point.
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @param code may suspend
  /// @return to cancel it, or to start it anew
  public Timer delay(Duration delay, TaskAction code) {
    return time.delay(delay, code);
  }

  /// Runs code again and again, the first time after one period. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round
  /// @param code may suspend; never runs twice at a time
  /// @return to cancel it, or to start it anew
  public Timer periodic(Duration period, TaskAction code) {
    return time.periodic(period, code);
  }

  // Conditions.

  /// Waits until a predicate holds. *Always* a suspension point.
  ///
  /// @param predicate must not suspend
  public void waitFor(BooleanSupplier predicate) {
    conditions().waitFor(predicate);
  }

  /// Runs code once, as soon as a predicate holds. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param code may suspend
  /// @return to cancel it
  public HandlerRegistration when(BooleanSupplier predicate, TaskAction code) {
    return conditions().when(predicate, code);
  }

  /// Runs code whenever a predicate holds: again and again as long as it does. Never a suspension
  /// point.
  ///
  /// @param predicate must not suspend
  /// @param code may suspend; never runs twice at a time
  /// @return to cancel it
  public HandlerRegistration whenever(BooleanSupplier predicate, TaskAction code) {
    return conditions().whenever(predicate, code);
  }

  /// Wakes all who wait for a signal, once, as soon as a predicate holds. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param signalName any object; equal names, the same signal
  /// @return to cancel it
  public HandlerRegistration signalOnPredicate(BooleanSupplier predicate, Object signalName) {
    return conditions().signalOnPredicate(predicate, signalName);
  }

  // Signals.

  /// Waits for a signal. *Always* a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return what it was sent with
  public @Nullable Object waitForSignal(Object signalName) {
    return signals().waitForSignal(signalName);
  }

  /// Wakes the one that has waited longest for a signal. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return whether somebody waited
  public boolean signalOne(Object signalName) {
    return signals().signalOne(signalName);
  }

  /// Wakes all who wait for a signal. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return how many that were
  public int signalAll(Object signalName) {
    return signals().signalAll(signalName);
  }

  /// Wakes all who wait for a signal; they run before everybody else. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return how many that were
  public int signalAllImmediate(Object signalName) {
    return signals().signalAllImmediate(signalName);
  }

  /// Runs code each time a signal is sent, unless it is running still. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @param code may suspend; never runs twice at a time
  /// @return to cancel it
  public HandlerRegistration onSignal(Object signalName, TaskAction code) {
    return signals().onSignal(signalName, code);
  }

  // IO.

  /// Listens for TCP connections on all addresses. Never a suspension point.
  ///
  /// @param port from 1 to 65535; 0 for any that is free
  /// @return the listener
  /// @throws IOException if it cannot be had
  public TcpListener listen(int port) throws IOException {
    return io().listen(port);
  }

  /// Connects by TCP. A *possible* suspension point; *always* one if the host is not given by a
  /// numeric address.
  ///
  /// @param host name or numeric address
  /// @param port from 1 to 65535
  /// @return the socket
  /// @throws IOException if there is no such host, it refuses, or cannot be reached
  public TcpSocket connect(String host, int port) throws IOException {
    return io().connect(host, port);
  }
}
