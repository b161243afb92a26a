package dev.rondo.application;

import dev.rondo.condition.HandlerRegistration;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import dev.rondo.time.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// The methods of TINN without an object, for the application whose task is running: `import static
/// dev.rondo.application.Rondo.*;`. The example `Tinn` uses these methods; [Application] has all.
///
/// Each method throws [IllegalStateException] on a thread where no application is running.
public final class Rondo {

  private Rondo() {}

  private static Application app() {
    return Application.current();
  }

  /// See [Application#spawn(TaskCall)]. Never a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param code may suspend at any depth
  /// @return the task
  public static <T extends @Nullable Object> Task<T> spawn(TaskCall<? extends T, ?> code) {
    return Scheduler.current().spawn(code);
  }

  /// See [Application#spawn(TaskAction)]. Never a suspension point.
  ///
  /// @param code may suspend at any depth
  /// @return the task
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public static Task<Void> spawn(TaskAction<?> code) {
    return Scheduler.current().spawn(code);
  }

  /// See [Application#yield()]. *Always* a suspension point. (`yield` cannot be called without an
  /// object.)
  public static void yieldNow() {
    Scheduler.current().yield();
  }

  /// See [Application#await(Waitable)]. A *possible* suspension point.
  ///
  /// @param <T> the type of the result
  /// @param waitable what to wait for
  /// @return the result
  public static <T extends @Nullable Object> T await(Waitable<T> waitable) {
    return Scheduler.current().await(waitable);
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

  /// See [Application#periodic(Duration, TaskAction)]. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round
  /// @param code may suspend; never runs twice at a time
  /// @return a timer, to cancel, to restart or to join it
  public static Timer periodic(Duration period, TaskAction<?> code) {
    return app().periodic(period, code);
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
  /// @return a registration, to cancel it
  public static HandlerRegistration when(BooleanSupplier predicate, TaskAction<?> code) {
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

  /// See [Application#signalOnPredicate(BooleanSupplier, Object)]. Never a suspension point.
  ///
  /// @param predicate must not suspend
  /// @param signalName any object; equal names denote the same signal
  /// @return a registration, to cancel it
  public static HandlerRegistration signalOnPredicate(
      BooleanSupplier predicate, Object signalName) {
    return app().signalOnPredicate(predicate, signalName);
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

  /// See [Application#signalAll(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return how many tasks were waiting
  public static int signalAll(Object signalName) {
    return app().signalAll(signalName);
  }

  /// See [Application#signalAllImmediate(Object)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return how many tasks were waiting
  public static int signalAllImmediate(Object signalName) {
    return app().signalAllImmediate(signalName);
  }

  /// See [Application#onSignal(Object, TaskAction)]. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @param code may suspend; never runs twice at a time
  /// @return a registration, to cancel it
  public static HandlerRegistration onSignal(Object signalName, TaskAction<?> code) {
    return app().onSignal(signalName, code);
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

  /// See [Application#stop()]. Never a suspension point.
  public static void stop() {
    app().stop();
  }
}
