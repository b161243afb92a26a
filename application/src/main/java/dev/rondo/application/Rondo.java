package dev.rondo.application;

import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.sync.Promise;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Waitable;
import dev.rondo.time.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The words of [Application] and [Scheduler] without an object, for the application whose task is
/// running: `import static dev.rondo.application.Rondo.*;`
///
/// Each throws [IllegalStateException] on a thread where no application is running.
public final class Rondo {

  private Rondo() {}

  private static Application app() {
    return Application.current();
  }

  /// See [Application#spawn(Callable)]. Never a suspension point.
  ///
  /// @param <T> what it results in
  /// @param code may suspend at any depth
  /// @return the task
  public static <T extends @Nullable Object> Task<T> spawn(Callable<? extends T> code) {
    return Scheduler.current().spawn(code);
  }

  /// See [Application#spawn(String, Callable)]. Never a suspension point.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public static <T extends @Nullable Object> Task<T> spawn(
      String name, Callable<? extends T> code) {
    return Scheduler.current().spawn(name, code);
  }

  /// See [Application#spawn(TaskAction)]. Never a suspension point.
  ///
  /// @param code may suspend at any depth
  /// @return the task
  public static Task<Void> spawn(TaskAction code) {
    return Scheduler.current().spawn(code);
  }

  /// See [Application#spawn(String, TaskAction)]. Never a suspension point.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public static Task<Void> spawn(String name, TaskAction code) {
    return Scheduler.current().spawn(name, code);
  }

  /// See [Application#newGroup(String)]. Never a suspension point.
  ///
  /// @param <T> what all its tasks' results have in common
  /// @param name shown in reports
  /// @return the group, to be opened by its `run` or `call`
  public static <T extends @Nullable Object> TaskGroup<T> newGroup(String name) {
    return Scheduler.current().newGroup(name);
  }

  /// See [Application#newPromise(String)]. Never a suspension point.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @return the promise, not fulfilled
  public static <T extends @Nullable Object> Promise<T> newPromise(String name) {
    return new Promise<>(Scheduler.current(), name);
  }

  /// Lets others run. *Always* a suspension point. (`yield` cannot be called without an object.)
  public static void yieldNow() {
    Scheduler.current().yield();
  }

  /// See [Application#sleep(Duration)]. *Always* a suspension point.
  ///
  /// @param duration at least zero; zero is a yield, centuries mean for ever
  public static void sleep(Duration duration) {
    app().sleep(duration);
  }

  /// See [Application#timeout(Duration)]. Never a suspension point.
  ///
  /// @param limit at least zero, which takes it back; centuries mean for ever
  public static void timeout(Duration limit) {
    app().timeout(limit);
  }

  /// See [Application#delay(Duration, TaskAction)]. Never a suspension point.
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @param code may suspend
  /// @return to cancel it, or to start it anew
  public static Timer delay(Duration delay, TaskAction code) {
    return app().delay(delay, code);
  }

  /// See [Application#periodic(Duration, TaskAction)]. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round
  /// @param code may suspend; never runs twice at a time
  /// @return to cancel it, or to start it anew
  public static Timer periodic(Duration period, TaskAction code) {
    return app().periodic(period, code);
  }

  /// See [Scheduler#await(Waitable)]. A *possible* suspension point.
  ///
  /// @param <T> what it results in
  /// @param waitable what to wait for
  /// @return what it delivered
  public static <T extends @Nullable Object> T await(Waitable<T> waitable) {
    return Scheduler.current().await(waitable);
  }

  /// See [Scheduler#await(Waitable, Duration)]. A *possible* suspension point.
  ///
  /// @param <T> what it results in
  /// @param waitable what to wait for
  /// @param timeout at least zero; centuries mean for ever
  /// @return what it delivered
  /// @throws TimeoutException if it did not come in time
  public static <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout) {
    return Scheduler.current().await(waitable, timeout);
  }

  /// See [Scheduler#select]. A *possible* suspension point.
  ///
  /// @param <T> what it results in
  /// @param branches at least one
  /// @return which, and what it delivered
  @SafeVarargs
  @SuppressWarnings("varargs") // handed on as they are
  public static <T extends @Nullable Object> Selection<T> select(
      Waitable<? extends T>... branches) {
    return Scheduler.current().select(branches);
  }

  /// See [Scheduler#within]. A suspension point if the code is one.
  ///
  /// @param <T> what it results in
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task
  /// @return what the code returns, also if it was late
  /// @throws TimeoutException if the code gave way to the limit
  /// @throws Exception whatever the code throws
  public static <T extends @Nullable Object> T within(Duration timeout, Callable<? extends T> code)
      throws Exception {
    return Scheduler.current().within(timeout, code);
  }

  /// See [Scheduler#blocking]. *Always* a suspension point.
  ///
  /// @param <T> what it results in
  /// @param call runs on a virtual thread
  /// @return what it returned
  /// @throws Exception whatever it threw
  public static <T extends @Nullable Object> T blocking(Callable<? extends T> call)
      throws Exception {
    return Scheduler.current().blocking(call);
  }

  /// See [Application#waitFor(BooleanSupplier)]. *Always* a suspension point.
  ///
  /// @param predicate must not suspend
  public static void waitFor(BooleanSupplier predicate) {
    app().waitFor(predicate);
  }

  /// See [Application#when(BooleanSupplier, TaskAction)]. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param code may suspend
  /// @return to cancel it
  public static HandlerRegistration when(BooleanSupplier predicate, TaskAction code) {
    return app().when(predicate, code);
  }

  /// See [Application#whenever(BooleanSupplier, TaskAction)]. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param code may suspend; never runs twice at a time
  /// @return to cancel it
  public static HandlerRegistration whenever(BooleanSupplier predicate, TaskAction code) {
    return app().whenever(predicate, code);
  }

  /// See [Application#signalOnPredicate(BooleanSupplier, Object)]. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param signalName any object; equal names, the same signal
  /// @return to cancel it
  public static HandlerRegistration signalOnPredicate(
      BooleanSupplier predicate, Object signalName) {
    return app().signalOnPredicate(predicate, signalName);
  }

  /// See [Application#waitForSignal(Object)]. *Always* a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return what it was sent with
  public static @Nullable Object waitForSignal(Object signalName) {
    return app().waitForSignal(signalName);
  }

  /// See [Application#signalOne(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return whether somebody waited
  public static boolean signalOne(Object signalName) {
    return app().signalOne(signalName);
  }

  /// See [Application#signalAll(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return how many were woken
  public static int signalAll(Object signalName) {
    return app().signalAll(signalName);
  }

  /// See [Application#signalAllImmediate(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @return how many were woken
  public static int signalAllImmediate(Object signalName) {
    return app().signalAllImmediate(signalName);
  }

  /// See [Application#onSignal(Object, TaskAction)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names, the same signal
  /// @param code may suspend; never runs twice at a time
  /// @return to cancel it
  public static HandlerRegistration onSignal(Object signalName, TaskAction code) {
    return app().onSignal(signalName, code);
  }

  /// See [Application#listen(int)]. Never a suspension point.
  ///
  /// @param port from 1 to 65535; 0 for any that is free
  /// @return the listener
  /// @throws IOException if it cannot be had
  public static TcpListener listen(int port) throws IOException {
    return app().listen(port);
  }

  /// See [Application#connect(String, int)]. A *possible* suspension point; *always* one if the
  /// host is not given by a numeric address.
  ///
  /// @param host name or numeric address
  /// @param port from 1 to 65535
  /// @return the socket
  /// @throws IOException if there is no such host, it refuses, or cannot be reached
  public static TcpSocket connect(String host, int port) throws IOException {
    return app().connect(host, port);
  }

  /// {@return what comes when an orderly stop has begun} See [Application#shutdownRequested()].
  /// Never a suspension point.
  public static Waitable<@Nullable Void> shutdownRequested() {
    return Scheduler.current().shutdownRequested();
  }

  /// {@return what every task is doing, as text for people} See [Application#dump()]. Never a
  /// suspension point.
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
