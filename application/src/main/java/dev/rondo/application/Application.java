package dev.rondo.application;

import com.google.common.util.concurrent.ListeningScheduledExecutorService;
import dev.rondo.application.internal.MainListener;
import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.condition.WaitForSignal;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.observe.Recorder;
import dev.rondo.observe.Recording;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskRunner;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.time.Timer;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One scheduler together with the add-ons for time, conditions, signals and IO, and a short method
/// for each common use of them.
///
/// Most programs need only [#run(Main)]. It returns when no work is left, after [#stop()], or when
/// the main task fails. By then every remaining task has been cancelled and has run its `finally`
/// blocks, and the add-ons are closed. [Rondo] has the same methods without an object, for `import
/// static`.
///
/// An application belongs to the thread that built it. Only that thread and its tasks may call its
/// methods, except those documented with *any thread*. An add-on that is not used is not installed.
///
/// **Exceptions.** Unless a method says otherwise:
///
/// | thrown | when | then |
/// |---|---|---|
/// | [dev.rondo.scheduler.TaskCancelled] | a task that waits, or begins to, is cancelled, or a block around it is | nothing stays registered, and the event is not lost |
/// | [TimedOutException] | the time of [#timeout], or of an `await` with a limit, is up | the same |
/// | [dev.rondo.scheduler.ScheduledDirectlyException] | a task that waits is scheduled; see `docs/inside/semantics.md`, rule 4 | the same |
/// | [IllegalStateException] | a method that waits is called outside of a task that has a stack, for instance in a posted action | nothing has changed |
/// | [IllegalArgumentException] | a duration is negative, or a number is out of its range | nothing has changed |
/// | [WrongThreadException] | another thread calls | nothing has changed |
///
/// To run an application inside a window, on the toolkit's thread, see `UiHost` of `rondo-ui`.
public final class Application implements TaskRunner, AutoCloseable {

  /// The program that an application runs.
  @FunctionalInterface
  public interface Main {

    /// Runs as the task `main`; may suspend at any depth.
    ///
    /// @param app the application it runs in
    /// @throws Exception any failure: the application stops, and `run` throws it
    void run(Application app) throws Exception;
  }

  /// Finds the application of a scheduler.
  private record Locator(Application application) implements AddOn {

    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }
  }

  private static final Duration DUMP_PATIENCE = Duration.ofSeconds(2);

  private final Scheduler scheduler;
  private final WaitForTime time;
  private final long startedNanos;

  /// The exit code of the run under way, or of the last one.
  private volatile int exitCode;

  /// The exit code that another thread has set, for the present run or, if there is none, for the
  /// next run. [ExitCode#SUCCESS] if there is none.
  private final AtomicInteger codeFromOutside = new AtomicInteger();

  private volatile boolean graceExceeded;
  private volatile boolean interrupted;

  /// Set before any other thread has this application; null if there is no inspection.
  private Inspection.@Nullable Use inspection;

  /// The task whose failure `start` will throw; null while `start` does not run.
  private @Nullable Task<Void> main;

  Application(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.time = WaitForTime.on(scheduler);
    this.startedNanos = scheduler.host().nowNanos();
    scheduler.host().install(new Locator(this));
  }

  // Making and running.

  /// Runs a program to its end on the calling thread. On the HANDOFF backend it runs on a virtual
  /// thread, where that backend is several times faster, while the calling thread waits. SIGINT,
  /// SIGTERM and other ends of the JVM stop the program and let its tasks clean up.
  ///
  /// @param main the program
  /// @throws RuntimeException the failure of main, wrapped in a [TaskFailedException] if it is
  ///   checked. Its trace shows the program's own frames only, unless
  ///   [dev.rondo.scheduler.SchedulerBuilder#DEBUG_PROPERTY] is set
  /// @throws DeadlockException if tasks are left that nothing can wake
  public static void run(Main main) {
    builder().run(main);
  }

  /// Runs a program as [#run(Main)] does, and then exits the JVM with a code from the table in
  /// [ExitCode]. A failure is logged.
  ///
  /// @param main the program
  public static void runAndExit(Main main) {
    builder().runAndExit(main);
  }

  /// {@return a builder, to configure an application or to run it several times}
  public static ApplicationBuilder builder() {
    return new ApplicationBuilder();
  }

  /// {@return the application whose task is running on the calling thread} Any thread.
  ///
  /// @throws IllegalStateException if there is none
  public static Application current() {
    Locator locator = Scheduler.current().host().addOn(Locator.class);
    if (locator == null) {
      throw new IllegalStateException(
          "the running scheduler belongs to no Application: build one with Application.builder()");
    }
    return locator.application;
  }

  /// Runs a program until no work is left, until [#stop()], or until main fails. Tasks that are
  /// left then stay where they are and continue in the next `start`; [#close()] ends them. *Not*
  /// for tasks.
  ///
  /// @param main the program
  /// @throws RuntimeException the failure of main, wrapped in a [TaskFailedException] if it is
  ///   checked
  /// @throws DeadlockException if tasks are left that nothing can wake
  /// @throws IllegalStateException if called in a task, while the application runs, or when it is
  ///   closed
  public void start(Main main) {
    Objects.requireNonNull(main, "main is null");
    if (!scheduler.inMainTask()) {
      throw new IllegalStateException(
          "start() was called inside a running application, or on another thread: spawn a task"
              + " instead");
    }
    exitCode = ExitCode.SUCCESS;
    graceExceeded = false;
    interrupted = false;
    Task<Void> task = scheduler.newTask("main", () -> main.run(this));
    task.addListener(() -> mainEnded(task), Runnable::run);
    scheduler.scheduleTask(task);
    this.main = task;
    Throwable failure = null;
    try {
      scheduler.start();
    } catch (Throwable e) {
      failure = e;
    }
    interrupted = Thread.currentThread().isInterrupted();
    int code = codeFromOutside.getAndSet(ExitCode.SUCCESS);
    if (code != ExitCode.SUCCESS) {
      exitCode = code; // given before the run began
    }
    this.main = null;
    Outcomes.throwFirst(task, failure);
  }

  @SuppressWarnings("ReferenceEquality") // a task is itself
  private void mainEnded(Task<Void> task) {
    Outcome<Void> outcome = Objects.requireNonNull(task.outcome());
    MainListener listener = scheduler.host().addOn(MainListener.class);
    if (listener != null) {
      listener.mainEnded(outcome);
    }
    if (outcome instanceof Outcome.Failure<?>(Throwable cause)) {
      if (task == main) {
        scheduler.stop();
      } else {
        scheduler.host().report("task 'main'", cause); // it was left over by an earlier run
      }
    }
  }

  @Override
  public void stop() {
    scheduler.stop();
  }

  /// Ends the run as [#stop()] does, with an exit code for [#runAndExit(Main)]. If there is no run,
  /// a call from another thread ends the next run, with that code; a call from the application's
  /// own thread ends none. Any thread. Never a suspension point.
  ///
  /// @param code 0 for success; of several codes the last one counts
  public void exit(int code) {
    boolean fromOutside = !scheduler.inMainTask() && scheduler.currentTask() == null;
    codeFromOutside.set(fromOutside ? code : ExitCode.SUCCESS);
    exitCode = code;
    stop();
  }

  @Override
  public CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp) {
    CompletableFuture<List<TaskInfo>> end = scheduler.shutdown(drain, cleanUp);
    end.thenAccept(left -> {
      if (!left.isEmpty()) {
        graceExceeded = true;
      }
    });
    return end;
  }

  @Override
  public Waitable<@Nullable Void> shutdownRequested() {
    return scheduler.shutdownRequested();
  }

  /// {@return the code given to [#exit(int)] in this run} Without one it is
  /// [ExitCode#GRACE_EXCEEDED] if tasks were left when the grace of an orderly shutdown was over,
  /// [ExitCode#INTERRUPTED] if an interrupt has ended the run, and otherwise [ExitCode#SUCCESS].
  /// Any thread.
  public int exitCode() {
    if (exitCode != ExitCode.SUCCESS) {
      return exitCode;
    }
    if (graceExceeded) {
      return ExitCode.GRACE_EXCEEDED;
    }
    return interrupted ? ExitCode.INTERRUPTED : ExitCode.SUCCESS;
  }

  /// Cancels every task, lets all tasks clean up, and closes the add-ons. Blocks until that is
  /// done, see [Scheduler#close()]. Later calls do nothing.
  ///
  /// @throws IllegalStateException in a task, or while the application runs
  @Override
  public void close() {
    try {
      scheduler.close();
    } finally {
      if (inspection != null) {
        inspection.close();
      }
    }
  }

  void inspectedBy(Inspection.Use use) {
    inspection = use;
  }

  /// {@return the address of the page that shows what the tasks are doing, see
  /// [ApplicationBuilder#inspector(int)]; empty if there is none} Any thread.
  public Optional<URI> inspector() {
    return Optional.ofNullable(inspection).map(Inspection.Use::uri);
  }

  /// {@return a description of what every task is doing} Any thread; on a thread other than the
  /// application's it waits up to two seconds for each answer of the loop, see
  /// [Loops#dump(Scheduler, DumpFormat, Appendable, Duration)].
  public String dump() {
    var text = new StringBuilder();
    try {
      Loops.dump(scheduler, DumpFormat.TEXT, text, DUMP_PATIENCE);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not by a StringBuilder
    }
    return text.toString();
  }

  /// {@return the last events, and what the tasks are doing} Any thread, see
  /// [Recorder#recording()].
  ///
  /// @throws IllegalStateException if the application was built without a recorder, see
  ///   [ApplicationBuilder#recorder(int)]
  public Recording recording() {
    return Recorder.of(scheduler).recording();
  }

  /// {@return how long ago this application was built, on its clock}
  public Duration runningTime() {
    return Duration.ofNanos(scheduler.host().nowNanos() - startedNanos);
  }

  /// Runs a runnable on the application's thread, as a step task: it must not suspend. To start a
  /// task that suspends, [#post] an action that spawns it. Any thread. Never a suspension point.
  @Override
  public void execute(Runnable command) {
    scheduler.execute(command);
  }

  @Override
  public boolean post(Runnable action) {
    return scheduler.post(action);
  }

  /// Makes an executor service whose jobs are tasks of this application: they may suspend, and one
  /// runs at a time. Never a suspension point.
  ///
  /// Any thread may use it, but its blocking methods (`get`, `invokeAll`, `awaitTermination`) throw
  /// on the application's own thread and in its tasks. The application runs until the caller shuts
  /// down the executor service; an orderly [#shutdown(Duration, Duration)] shuts it down, too.
  /// `shutdownNow` and `cancel(true)` cancel tasks and do not interrupt threads.
  ///
  /// @return the executor service
  public ListeningScheduledExecutorService newExecutorService() {
    return new ScheduledTaskExecutor(scheduler);
  }

  // The parts.

  /// {@return the scheduler that runs the tasks}
  public Scheduler scheduler() {
    return scheduler;
  }

  /// {@return the add-on for timers and sleeping}
  public WaitForTime time() {
    return time;
  }

  /// {@return the add-on for predicates, which the first call installs}
  public WaitForCondition conditions() {
    return WaitForCondition.on(scheduler);
  }

  /// {@return the add-on for signals, which the first call installs}
  public WaitForSignal signals() {
    return WaitForSignal.on(scheduler);
  }

  /// {@return the add-on for sockets, which the first call installs}
  public WaitForIO io() {
    return WaitForIO.on(scheduler);
  }

  /// {@return the installed add-on of a class}
  ///
  /// @param <A> the add-on's class
  /// @param type the add-on's class, or an interface that it implements
  /// @throws NoSuchElementException if there is none; the message has the call that installs it
  public <A> A addOn(Class<A> type) {
    A found = scheduler.host().addOn(type);
    if (found == null) {
      throw new NoSuchElementException(
          "no add-on %s is installed: call %2$s.on(app.scheduler()) if it has that method, or Application.builder().addOn(%2$s::new) before"
              .formatted(type.getName(), type.getSimpleName()));
    }
    return found;
  }

  // Tasks.

  @Override
  public <T extends @Nullable Object> Task<T> spawn(TaskCall<? extends T, ?> code) {
    return scheduler.spawn(code);
  }

  @Override
  public <T extends @Nullable Object> Task<T> spawn(String name, TaskCall<? extends T, ?> code) {
    return scheduler.spawn(name, code);
  }

  @Override
  public <T extends @Nullable Object> TaskGroup<T> newGroup(String name, TaskGroup.Policy policy) {
    return scheduler.newGroup(name, policy);
  }

  @Override
  public void yield() {
    scheduler.yield();
  }

  @Override
  public <T extends @Nullable Object> T await(Waitable<T> waitable) {
    return scheduler.await(waitable);
  }

  @Override
  public <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout) {
    return scheduler.await(waitable, timeout);
  }

  /// Waits for the first of several things. A *possible* suspension point, see [Scheduler#select].
  ///
  /// @param <T> the common type of their results
  /// @param branches at least one
  /// @return the branch that came first, and its result
  @SafeVarargs
  @SuppressWarnings("varargs") // handed on as they are
  public final <T extends @Nullable Object> Selection<T> select(Waitable<? extends T>... branches) {
    return scheduler.select(branches);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T within(
      Duration timeout, TaskCall<? extends T, X> code) throws X {
    return scheduler.within(timeout, code);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T shielded(TaskCall<? extends T, X> code)
      throws X {
    return scheduler.shielded(code);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T blocking(TaskCall<? extends T, X> call)
      throws X {
    return scheduler.blocking(call);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T blocking(
      TaskCall<? extends T, X> call, Consumer<? super T> ifLate) throws X {
    return scheduler.blocking(call, ifLate);
  }

  // Time.

  /// Suspends the current task for the given time. *Always* a suspension point.
  ///
  /// @param duration at least zero; zero is a yield, centuries mean for ever
  public void sleep(Duration duration) {
    time.sleep(duration);
  }

  /// Limits all later waits of the current task, taken together, until it sets another limit. To
  /// limit a block of code, [#within] is safer. See [WaitForTime#timeout]. Never a suspension
  /// point.
  ///
  /// @param limit at least zero, which removes the limit; centuries mean for ever
  public void timeout(Duration limit) {
    time.timeout(limit);
  }

  /// Runs code once, later, in a task of its own. An armed timer keeps the application running.
  /// Never a suspension point.
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @param code may suspend; a failure goes to the failure handler
  /// @return a timer, to cancel, to restart or to join it
  public Timer delay(Duration delay, TaskAction<?> code) {
    Objects.requireNonNull(code, "code is null");
    return time.delay(delay, code);
  }

  /// Runs code repeatedly, the first time after one period. Ticks are due at the start plus
  /// multiples of the period. Ticks that are due while the code still runs, or that are missed, are
  /// skipped and counted. The timer keeps the application running until it is cancelled. Never a
  /// suspension point.
  ///
  /// @param period at least zero, which means once per round
  /// @param code may suspend; never runs twice at a time. A failure ends the timer and goes to the
  ///   failure handler
  /// @return a timer, to cancel, to restart or to join it
  public Timer periodic(Duration period, TaskAction<?> code) {
    Objects.requireNonNull(code, "code is null");
    return time.periodic(period, code);
  }

  // Conditions.

  /// Waits until a predicate is true. *Always* a suspension point.
  ///
  /// @param predicate must not suspend
  public void waitFor(BooleanSupplier predicate) {
    conditions().waitFor(predicate);
  }

  /// Runs code once, as soon as a predicate is true. The registration does not keep the application
  /// running. Never a suspension point.
  ///
  /// @param predicate quick, and must not suspend; a failure ends the registration and goes to the
  ///   failure handler
  /// @param code may suspend; a failure goes to the failure handler
  /// @return a registration, to cancel it
  public HandlerRegistration when(BooleanSupplier predicate, TaskAction<?> code) {
    Objects.requireNonNull(code, "code is null");
    return conditions().when(predicate, code);
  }

  /// Runs code whenever a predicate is true, repeatedly while it stays true. The registration does
  /// not keep the application running. Never a suspension point.
  ///
  /// @param predicate quick, and must not suspend; a failure ends the registration and goes to the
  ///   failure handler
  /// @param code may suspend; never runs twice at a time; a failure ends the registration and goes
  ///   to the failure handler
  /// @return a registration, to cancel it
  public HandlerRegistration whenever(BooleanSupplier predicate, TaskAction<?> code) {
    Objects.requireNonNull(code, "code is null");
    return conditions().whenever(predicate, code);
  }

  /// Sends a signal to all its waiters, once, as soon as a predicate is true. Never a suspension
  /// point.
  ///
  /// @param predicate must not suspend
  /// @param signalName any object; equal names denote the same signal
  /// @return a registration, to cancel it
  public HandlerRegistration signalOnPredicate(BooleanSupplier predicate, Object signalName) {
    return conditions().signalOnPredicate(predicate, signalName);
  }

  // Signals.

  /// Waits for a signal. *Always* a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return the payload of the signal; null if it was sent without one
  public @Nullable Object waitForSignal(Object signalName) {
    Objects.requireNonNull(signalName, "signalName is null");
    return scheduler.await(signals().signal(signalName));
  }

  /// Wakes the task that has waited longest for a signal. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return whether a task was waiting
  public boolean signalOne(Object signalName) {
    Objects.requireNonNull(signalName, "signalName is null");
    return signals().signalOne(signalName, null);
  }

  /// Wakes all tasks that wait for a signal. If no task waits, the signal is lost. Never a
  /// suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return how many tasks were waiting, handlers of [#onSignal] among them
  public int signalAll(Object signalName) {
    Objects.requireNonNull(signalName, "signalName is null");
    return signals().signalAll(signalName, null);
  }

  /// Wakes all tasks that wait for a signal, to run before all others. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @return how many tasks were waiting
  public int signalAllImmediate(Object signalName) {
    Objects.requireNonNull(signalName, "signalName is null");
    return signals().signalAllImmediate(signalName, null);
  }

  /// Runs code each time a signal is sent. A signal that is sent while the code still runs is lost
  /// for it. The registration does not keep the application running. Never a suspension point.
  ///
  /// @param signalName any object; equal names denote the same signal
  /// @param code may suspend; never runs twice at a time; a failure ends the registration and goes
  ///   to the failure handler
  /// @return a registration, to cancel it
  public HandlerRegistration onSignal(Object signalName, TaskAction<?> code) {
    Objects.requireNonNull(signalName, "signalName is null");
    Objects.requireNonNull(code, "code is null");
    return signals().signal(signalName).onSignal(_ -> code.run());
  }

  // IO.

  /// Listens for TCP connections on all addresses. Never a suspension point.
  ///
  /// @param port from 1 to 65535; 0 for any free port
  /// @return the listener
  /// @throws IOException if the port cannot be bound
  public TcpListener listen(int port) throws IOException {
    return io().listen(port);
  }

  /// Connects by TCP. A *possible* suspension point; *always* one if the host is not a numeric
  /// address.
  ///
  /// @param host name or numeric address
  /// @param port from 1 to 65535
  /// @return the socket
  /// @throws IOException if the host does not exist, refuses, or cannot be reached
  public TcpSocket connect(String host, int port) throws IOException {
    return io().connect(host, port);
  }
}
