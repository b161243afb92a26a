package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.application.LoopStarter;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SendChannel;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// An application on its own thread, with a mailbox. TINN has the computicle as its unit of
/// computation.
///
/// ```java
/// try (var worker = Computicle.<String>start("worker", (app, mailbox) -> {
///   for (String line : mailbox) {
///     count(line);
///   }
/// })) {
///   worker.send("a line");
/// }
/// ```
///
/// `send`, `exec` and `quit` are TINN's words. A computicle lives until it is asked to [#quit()],
/// until its main fails, or until the scheduler whose task has started it is closed. The end of the
/// `try` block also ends it, and waits for its end. If the main task of the starting scheduler has
/// failed or was cancelled, the close of that scheduler cancels the computicle's tasks at once, and
/// the computicles and pools that they have started, at all levels. Otherwise they first have the
/// grace of the builder.
///
/// A failure of main stops the computicle and reaches the tasks and threads that [#join()] it. If
/// no caller waits at that moment, the failure goes to the failure handler of the scheduler that
/// has started the computicle; without such a scheduler, to the computicle's own handler. The
/// computicle's other tasks fail as in any application.
///
/// Any thread, unless a method says otherwise.
///
/// @param <M> the messages of the mailbox; handed over, see [Endpoint]
public final class Computicle<M> implements AutoCloseable {

  /// The program of a computicle.
  ///
  /// @param <M> the messages of its mailbox
  @FunctionalInterface
  public interface Main<M> {

    /// Runs as the task `main` of the computicle; may suspend at any depth. When it returns the
    /// computicle quits. Other tasks may go on, and receive the messages that are left in the
    /// mailbox.
    ///
    /// @param app the application of the computicle
    /// @param mailbox the messages; closed when the computicle is to quit
    /// @throws Exception any failure: the computicle stops, and `join` throws it
    void run(Application app, ReceiveChannel<M> mailbox) throws Exception;
  }

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final String name;
  private final Duration grace;
  private final Endpoint<M> mailbox;
  private final Ending<@Nullable Void> ending;
  private final CompletableFuture<Application> opened = new CompletableFuture<>();
  private final Set<RemoteTask<?>> unfinished = ConcurrentHashMap.newKeySet();
  private final ApplicationBuilder application;
  private final Main<M> main;
  private final Parent parent;
  private final Runnable whenEnded;

  /// The children of its scheduler, once there is one.
  private final Children children = new Children();

  /// Not started in a simulation.
  private final Thread thread;

  /// Closes the computicle at once; null outside of a simulation. Confined to the thread of the
  /// simulation.
  private @Nullable Runnable simulated;

  private final Child asChild =
      new Child() {
        @Override
        public void quit() {
          quitWithGrace();
        }

        @Override
        public void cancel() {
          cancelChildren(); // before main can return
          mailbox.close();
          shutdown(Duration.ZERO, grace);
        }

        @Override
        public void blockUntilEnded() {
          Computicle.this.blockUntilEnded();
        }
      };

  /// Actions that wait for the application. Guarded by this.
  private CompletableFuture<Application> lastCall = opened;

  /// Guarded by itself.
  private final List<M> undelivered = new ArrayList<>();

  private volatile boolean over;

  /// The failure of the computicle. Its thread writes this before the end.
  private @Nullable Throwable endedBy;

  /// The failure of main. The thread of main writes this before main ends.
  private volatile @Nullable Throwable thrown;

  /// Whether the computicle's own failure handler has received that failure.
  private volatile boolean reported;

  Computicle(ComputicleBuilder settings, Parent parent, Main<M> main) {
    this.main = requireNonNull(main, "main is null");
    this.name = settings.name;
    this.application = settings.application;
    this.grace = settings.grace;
    this.mailbox = new Endpoint<>("mailbox of " + name, settings.capacity);
    this.ending = new Ending<>("computicle", name, parent.isSimulated());
    this.parent = parent;
    this.whenEnded = settings.whenEnded;
    this.thread = Thread.ofPlatform().daemon(false).name(name).unstarted(this::live);
  }

  /// Starts a computicle with all defaults. Never a suspension point.
  ///
  /// @param <M> the messages of its mailbox
  /// @param name of the thread, shown in messages
  /// @param main the program
  /// @return the computicle
  public static <M> Computicle<M> start(String name, Main<M> main) {
    return builder(name).start(main);
  }

  /// {@return a builder of a computicle}
  ///
  /// @param name of the thread, shown in messages
  public static ComputicleBuilder builder(String name) {
    return new ComputicleBuilder(name);
  }

  /// Starts the computicle.
  Computicle<M> begin() {
    parent.add(asChild);
    try {
      LoopStarter starter = parent.starter();
      if (starter == null) {
        thread.start();
      } else {
        simulated = starter.start(name, application, this::run, this::ended);
      }
    } catch (Throwable e) {
      parent.remove(asChild);
      throw e;
    }
    return this;
  }

  // Its life, on its own thread.

  private void live() {
    Throwable failure = null;
    try {
      application.run(this::run);
    } catch (Throwable e) {
      failure = e;
    }
    ended(failure);
  }

  private void run(Application app) throws Exception {
    var _ =
        app.scheduler().keepAlive(); // until the scheduler closes, because any thread may call in
    var _ = app.scheduler().host().install(children);
    ending.heldBy(requireNonNull(app.scheduler().currentTask()));
    opened.complete(app);
    try {
      main.run(app, mailbox);
      mailbox.close(); // tasks that main has started may still receive
    } catch (TaskCancelled e) {
      mailbox.close();
      throw e; // no failure
    } catch (Throwable e) {
      failed(app, e);
      throw e;
    } finally {
      var _ = app.shutdown(FOR_EVER, FOR_EVER);
    }
  }

  /// Main has failed; the scheduler is still open.
  private void failed(Application app, Throwable failure) {
    thrown = failure;
    if (parent.scheduler() == null && !ending.isAwaited()) {
      reported = true;
      app.scheduler().host().report(toString(), failure);
    }
  }

  /// @param ofRun the failure of the run; null for none
  private void ended(@Nullable Throwable ofRun) {
    Throwable failure = ofRun == null || thrown == null ? ofRun : thrown;
    endedBy = failure;
    over = true;
    var _ = undelivered();
    opened.completeExceptionally(new ComputicleEndedException(this + " has not begun"));
    unfinished.forEach(this::abandon);
    parent.remove(asChild);
    if (failure == null) {
      ending.complete(null);
    } else if (!ending.fail(failure) && !reported) {
      report(failure);
    }
    whenEnded.run();
  }

  /// No caller waits for the failure.
  private void report(Throwable failure) {
    Scheduler scheduler = parent.scheduler();
    if (scheduler != null) {
      scheduler.host().report(toString(), failure);
    } else {
      Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
      handler.uncaughtException(thread, failure);
    }
  }

  // Messages.

  /// {@return the name of the computicle}
  String name() {
    return name;
  }

  /// Sends a message to the mailbox; waits while the mailbox is full, see [Endpoint].
  ///
  /// @param message not null; handed over
  /// @throws ClosedException if the computicle has quit or ended, or does so meanwhile; the message
  ///   was not taken
  /// @throws TaskCancelled if the task is cancelled; the message was not taken
  public void send(M message) {
    mailbox.send(message);
  }

  /// {@return the sending side of the mailbox, for selects and sends with a limit}
  public SendChannel<M> mailbox() {
    return mailbox;
  }

  /// {@return the messages in the mailbox that no task had received when the computicle ended}
  /// Empty before the end.
  public List<M> undelivered() {
    synchronized (undelivered) {
      if (over) {
        // a send that met its end may have put one back since
        undelivered.addAll(mailbox.cancelBecauseOf(endedBy));
      }
      return List.copyOf(undelivered);
    }
  }

  // Code.

  /// Runs code as a task of the computicle. The code may suspend, and may use the thread-bound
  /// objects of the computicle, such as its add-ons. Never a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param code handed over with all that it refers to
  /// @return the task, to wait for its end
  /// @throws ComputicleEndedException if the computicle has quit or ended; the code does not run
  public <T extends @Nullable Object> RemoteTask<T> exec(TaskCall<? extends T, ?> code) {
    var task = new RemoteTask<T>("exec in " + name, code, parent.isSimulated(), unfinished::remove);
    unfinished.add(task);
    whenOpened(app -> hand(app, task)); // if it never opens, the end abandons the task
    if (over) {
      abandon(task);
    }
    if (task.wasRefused()) {
      throw new ComputicleEndedException(
          this + " has quit: the code was not taken and does not run");
    }
    return task;
  }

  /// [#exec(TaskCall)] for code without a result.
  ///
  /// @param code handed over with all that it refers to
  /// @return the task, to wait for its end
  /// @throws ComputicleEndedException if the computicle has quit or ended; the code does not run
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public RemoteTask<@Nullable Void> exec(TaskAction<?> code) {
    requireNonNull(code, "code is null");
    return this.<@Nullable Void>exec(() -> {
      code.run();
      return null;
    });
  }

  /// Runs an action with the application as soon as it exists, in the order of the calls.
  private synchronized void whenOpened(Consumer<Application> action) {
    lastCall =
        lastCall.thenApply(app -> {
          action.accept(app);
          return app;
        });
  }

  private <T extends @Nullable Object> void hand(Application app, RemoteTask<T> task) {
    try {
      app.execute(() -> task.begin(app.scheduler(), ended -> {}));
    } catch (RejectedExecutionException e) {
      task.refuse();
      task.abandon(this + " has quit before " + task + " began");
    }
  }

  private void abandon(RemoteTask<?> task) {
    task.abandon(this + " has ended before " + task + " did");
  }

  // The end.

  /// Asks the computicle to end. The mailbox takes no more messages, [#exec] takes no more code,
  /// and `app.shutdownRequested()` comes. Tasks go on until they end by themselves. Messages in the
  /// mailbox can still be received. Never a suspension point.
  public void quit() {
    quit(FOR_EVER);
  }

  /// [#quit()], but cancels the tasks that are left after a time. They have the same time again to
  /// clean up.
  void quit(Duration patience) {
    mailbox.close();
    shutdown(patience, patience);
  }

  /// See [Application#shutdown(Duration, Duration)]. The mailbox stays open.
  void shutdown(Duration drain, Duration cleanUp) {
    whenOpened(app -> {
      var _ = app.shutdown(drain, cleanUp);
    });
  }

  /// The children are cancelled when the scheduler closes, or now if it is closing already.
  void cancelChildren() {
    children.cancel();
  }

  void quitWithGrace() {
    quit(grace);
  }

  /// Waits for the end of the computicle. In a task of another scheduler *always* a suspension
  /// point. On another thread it blocks.
  ///
  /// @throws TaskFailedException if main or the application has failed; the cause is the failure
  /// @throws TaskCancelled if the waiting task is cancelled; the computicle goes on
  /// @throws java.util.concurrent.CancellationException if the waiting thread is interrupted; its
  ///   interrupt status stays set, and the computicle goes on
  /// @throws IllegalStateException if the computicle joins itself, or on a scheduler's thread
  ///   outside a stackful task
  public void join() {
    refuseItself("join");
    ending.join();
  }

  /// [#join()] with a limit, after which the computicle goes on.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @throws TaskFailedException if main or the application has failed; the cause is the failure
  /// @throws dev.rondo.scheduler.TimedOutException if the computicle did not end in time
  /// @throws IllegalArgumentException if the timeout is negative
  public void join(Duration timeout) {
    refuseItself("join");
    ending.join(timeout);
  }

  private void refuseItself(String call) {
    if (isCurrent()) {
      throw new IllegalStateException(
          call + "() of " + this + " by itself, which would never end: use quit()");
    }
  }

  /// Whether the caller is the computicle's own thread, or one of its tasks.
  boolean isCurrent() {
    Application own = opened.isDone() && !opened.isCompletedExceptionally() ? opened.join() : null;
    return own != null && Scheduler.currentOrNull() == own.scheduler();
  }

  /// {@return the end of the computicle as an event, for selects and step tasks of any scheduler} A
  /// wait fails as [#join()] does. After this call a failure counts as awaited.
  public Waitable<@Nullable Void> ended() {
    return ending.event();
  }

  /// {@return whether the computicle has ended}
  boolean isDone() {
    return ending.isOver();
  }

  /// Ends the computicle and waits for its end: [#quit()], then [#join()]. After the grace of the
  /// builder the remaining tasks are cancelled. In a task this suspends, and a cancellation of the
  /// task does not end the wait.
  ///
  /// @throws TaskFailedException if main has failed; the cause is the failure
  @Override
  public void close() {
    refuseItself("close");
    quitWithGrace();
    ending.joinShielded();
  }

  /// Blocks the calling thread until the computicle has ended, and does not throw its failure. Any
  /// thread.
  void blockUntilEnded() {
    if (simulated != null) {
      simulated.run();
      return;
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "computicle '" + name + "'";
  }
}
