package dev.rondo.application;

import com.google.common.util.concurrent.ListeningScheduledExecutorService;
import dev.rondo.scheduler.AddOn;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.StepResult;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.observe.DumpFormat;
import dev.rondo.scheduler.observe.TaskInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
public final class Application extends Words implements Executor, AutoCloseable {

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
  private record Link(Application application) implements AddOn {

    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }
  }

  private final long startedNanos;
  private volatile int exitCode;
  private volatile boolean graceExceeded;

  /// What `start` will throw the failure of; null when it is not there to do so.
  private @Nullable Task<Void> main;

  Application(Scheduler scheduler) {
    super(scheduler);
    this.startedNanos = scheduler.nowNanos();
    scheduler.install(new Link(this));
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
    Link link = Scheduler.current().addOn(Link.class);
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
}
