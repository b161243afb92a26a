package dev.rondo.application;

import com.google.common.util.concurrent.ListeningScheduledExecutorService;
import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.Promise;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.condition.WaitForSignal;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.AddOn;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.DumpFormat;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.StepResult;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskInfo;
import dev.rondo.scheduler.Waitable;
import dev.rondo.time.Timer;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The pieces put together: one scheduler with the add-ons for time, conditions, signals and IO,
/// and plain words for them.
///
/// [#run(Main)] is all that most programs need. It runs until no work is left, until [#stop()], or
/// until its main task fails; then every task that is left is cancelled, has run its `finally`, and
/// the add-ons are closed. The same words without an object are in [Rondo], for `import static`.
///
/// An application belongs to the thread that built it; its methods are for that thread and its
/// tasks, except those that say *any thread*. Add-ons that are not used are not there. Inside of a
/// window, on its toolkit's thread, it runs by a [dev.rondo.application.ui.UiHost].
public final class Application implements Executor, AutoCloseable {

  /// What an application begins with.
  @FunctionalInterface
  public interface Main {

    /// Runs as the task `main`; may suspend at any depth.
    ///
    /// @param app the application it runs in
    /// @throws Exception anything: the application stops, and `run` throws it
    void run(Application app) throws Exception;
  }

  /// Lets a scheduler's tasks find the application they run in.
  private record Locator(Application application) implements AddOn {

    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }
  }

  private final Scheduler scheduler;
  private final WaitForTime time;
  private final long startedNanos;
  private volatile int exitCode;
  private volatile boolean graceExceeded;

  /// What `start` will throw the failure of; null when it is not there to do so.
  private @Nullable Task<Void> main;

  Application(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.time = WaitForTime.on(scheduler);
    this.startedNanos = scheduler.nowNanos();
    scheduler.install(new Locator(this));
  }

  // Making and running.

  /// Runs a program to its end, on this thread; on the HANDOFF backend on a virtual thread, where
  /// that is several times faster, while this one waits. SIGINT, SIGTERM and other ends of the JVM
  /// stop it and let its tasks clean up.
  ///
  /// @param main the program
  /// @throws RuntimeException what main failed with; wrapped in [TaskFailedException] if checked.
  ///   Its trace is cut down to the program's own frames, unless
  ///   [dev.rondo.scheduler.SchedulerBuilder#DEBUG_PROPERTY] is set
  /// @throws DeadlockException if tasks are left that nothing can wake
  public static void run(Main main) {
    builder().run(main);
  }

  /// [#run(Main)] as the last thing a program does: exits the JVM, with a code of [ExitCode]'s
  /// table. A failure is logged.
  ///
  /// @param main the program
  public static void runAndExit(Main main) {
    builder().runAndExit(main);
  }

  /// {@return an application to be configured, or to be run several times}
  public static ApplicationBuilder builder() {
    return new ApplicationBuilder();
  }

  /// {@return the application whose task is running on this thread} Any thread.
  ///
  /// @throws IllegalStateException if there is none
  public static Application current() {
    Locator link = Scheduler.current().addOn(Locator.class);
    if (link == null) {
      throw new IllegalStateException(
          "the running scheduler belongs to no Application: build one with Application.builder()");
    }
    return link.application;
  }

  /// Runs a program until no work is left, until [#stop()], or until main fails. What is left then
  /// stays where it is, and goes on in the next `start`; [#close()] ends it. *Not* for tasks.
  ///
  /// @param main the program
  /// @throws RuntimeException what main failed with; wrapped in [TaskFailedException] if checked
  /// @throws DeadlockException if tasks are left that nothing can wake
  /// @throws IllegalStateException in a task, while it runs, or when it is closed
  public void start(Main main) {
    if (!scheduler.inMainTask()) {
      throw new IllegalStateException(
          "start inside of a running application, or on another thread: spawn a task instead");
    }
    exitCode = ExitCode.SUCCESS;
    graceExceeded = false;
    Task<Void> task = scheduler.newTask("main", () -> main.run(this));
    task.addListener(() -> stopUnlessSucceeded(task), Runnable::run);
    scheduler.scheduleTask(task);
    this.main = task;
    Throwable failure = null;
    try {
      scheduler.start();
    } catch (Throwable e) {
      failure = e;
    }
    this.main = null;
    Outcomes.throwFirst(task, failure);
  }

  @SuppressWarnings("ReferenceEquality") // a task is itself
  private void stopUnlessSucceeded(Task<Void> task) {
    if (task.outcome() instanceof Outcome.Failure<?>(Throwable cause)) {
      if (task == main) {
        scheduler.stop();
      } else {
        scheduler.report("task 'main'", cause); // it was left over by an earlier run
      }
    }
  }

  /// Ends the run after the current turn. What is left is cancelled if it is [#run(Main)] that
  /// runs. Any thread. Never a suspension point.
  public void stop() {
    scheduler.stop();
  }

  /// [#shutdown(Duration, Duration)] with the same time for both.
  ///
  /// @param grace at least zero
  /// @return completed at the end, with the tasks that would not go
  /// @throws IllegalArgumentException if it is negative
  public CompletableFuture<List<TaskInfo>> shutdown(Duration grace) {
    return shutdown(grace, grace);
  }

  /// Ends the application in order: it takes no new work from outside, tasks may go on for a while,
  /// those that are left are cancelled and clean up, and those that would not go are reported. See
  /// [Scheduler#shutdown(Duration, Duration)]. Any thread. Never a suspension point.
  ///
  /// @param drain how long tasks may go on, at least zero
  /// @param cleanUp how long cancelled tasks may take, at least zero
  /// @return completed at the end, with the tasks that would not go
  /// @throws IllegalArgumentException if one of them is negative
  public CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp) {
    CompletableFuture<List<TaskInfo>> end = scheduler.shutdown(drain, cleanUp);
    end.thenAccept(left -> {
      if (!left.isEmpty()) {
        graceExceeded = true;
      }
    });
    return end;
  }

  /// {@return what comes when an orderly stop has begun, that of a JVM that goes down among them}
  /// For tasks that would go on for ever: `select(listener.., stopping())`.
  public Waitable<@Nullable Void> shutdownRequested() {
    return scheduler.shutdownRequested();
  }

  /// [#stop()] with an exit code for [#runAndExit(Main)]. Any thread. Never a suspension point.
  ///
  /// @param code 0 for success
  public void exit(int code) {
    exitCode = code;
    stop();
  }

  /// {@return what [#exit(int)] was given in this run; if it was not called [ExitCode#SUCCESS], or
  /// [ExitCode#GRACE_EXCEEDED] if tasks were left when the grace of an orderly stop was over} Any
  /// thread.
  public int exitCode() {
    boolean noneGiven = exitCode == ExitCode.SUCCESS;
    return noneGiven && graceExceeded ? ExitCode.GRACE_EXCEEDED : exitCode;
  }

  /// Cancels every task, lets all of them clean up, and closes the add-ons. *Not* for tasks.
  @Override
  public void close() {
    scheduler.close();
  }

  /// {@return what every task is doing, as text for people} Any thread; on a foreign one it waits
  /// up to two seconds for each answer of the loop, see [Scheduler#dump(DumpFormat, Appendable)].
  public String dump() {
    var text = new StringBuilder();
    try {
      scheduler.dump(DumpFormat.TEXT, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not by a StringBuilder
    }
    return text.toString();
  }

  /// Has a runnable run as a step task, so it must not suspend. Any thread. Never a suspension
  /// point.
  @Override
  public void execute(Runnable command) {
    scheduler.execute(command);
  }

  /// Makes a view of this application for code that wants an executor service: what it is given
  /// runs as tasks, which may suspend, one at a time. Never a suspension point.
  ///
  /// Any thread may use the view; what blocks (`get`, `invokeAll`, `awaitTermination`) is refused
  /// on the application's own, and in its tasks. As with any executor service the application goes
  /// on until the view is shut down, which is one's own to do; an orderly [#shutdown(Duration)]
  /// does it too. `shutdownNow` and `cancel(true)` cancel tasks, and interrupt nobody.
  ///
  /// @return the view
  public ListeningScheduledExecutorService newExecutorService() {
    return new ScheduledTaskExecutor(scheduler);
  }

  /// {@return how long ago this application was built, on its clock}
  public Duration runningTime() {
    return Duration.ofNanos(scheduler.nowNanos() - startedNanos);
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
