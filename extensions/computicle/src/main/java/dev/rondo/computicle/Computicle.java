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

/// An application on a thread of its own, with a mailbox: a unit of computation, after TINN's.
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
/// `send`, `exec` and `quit` are TINN's words. It lives until it is asked to [#quit()], until its
/// main fails, or until the scheduler whose task has started it is closed. Leaving the `try` block
/// ends it, too, and waits for that. When that scheduler closes and its main task has failed or was
/// cancelled, the computicle's tasks are cancelled at once, and so are the computicles and pools
/// that they have started, at all levels; otherwise they have the grace of its builder before.
///
/// A failure of main stops the computicle and reaches the tasks and threads that [#join()] it. If
/// none does at that moment, the failure handler of the scheduler that has started it receives it;
/// without one, its own. Other tasks of it fail as those of any application do.
///
/// Any thread, unless a method says otherwise.
///
/// @param <M> the messages of its mailbox; handed over, see [Endpoint]
public final class Computicle<M> implements AutoCloseable {

  /// The program of a computicle.
  ///
  /// @param <M> the messages of its mailbox
  @FunctionalInterface
  public interface Main<M> {

    /// Runs as the task `main` of the computicle; may suspend at any depth. When it returns the
    /// computicle quits: other tasks of it may go on, and receive what the mailbox holds.
    ///
    /// @param app the application that the computicle is
    /// @param mailbox its messages; closed when it is to quit
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

  /// Of its scheduler, when there is one.
  private final Children children = new Children();

  /// Does not run in a simulation.
  private final Thread thread;

  /// Closes it at once; null unless it runs in a simulation. Confined to the thread of that.
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

  /// Actions for when the application is there. Guarded by this.
  private CompletableFuture<Application> lastCall = opened;

  /// Guarded by itself.
  private final List<M> undelivered = new ArrayList<>();

  private volatile boolean over;

  /// Its failure. Written by its thread before it is over.
  private @Nullable Throwable endedBy;

  /// By main. Written by the thread of main, before it ends.
  private volatile @Nullable Throwable thrown;

  /// Whether its own failure handler has received that.
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

  /// Starts one with all defaults. Never a suspension point.
  ///
  /// @param <M> the messages of its mailbox
  /// @param name of its thread, shown in messages
  /// @param main what it runs
  /// @return the computicle
  public static <M> Computicle<M> start(String name, Main<M> main) {
    return builder(name).start(main);
  }

  /// {@return a builder of a computicle}
  ///
  /// @param name of its thread, shown in messages
  public static ComputicleBuilder builder(String name) {
    return new ComputicleBuilder(name);
  }

  /// Begins to live.
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
    var _ = app.scheduler().keepAlive(); // until it closes: any thread may call in
    var _ = app.scheduler().host().install(children);
    ending.heldBy(requireNonNull(app.scheduler().currentTask()));
    opened.complete(app);
    try {
      main.run(app, mailbox);
      mailbox.close(); // tasks that main has left may receive
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

  /// @param ofRun what the run has failed with, if it has
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

  /// {@return its name}
  String name() {
    return name;
  }

  /// Sends a message to its mailbox; waits while that is full, see [Endpoint].
  ///
  /// @param message not null; handed over
  /// @throws ClosedException if it has quit or ended, or does so meanwhile; the message was not
  ///   taken
  /// @throws TaskCancelled if the task is cancelled; the message was not taken
  public void send(M message) {
    mailbox.send(message);
  }

  /// {@return its mailbox, to be sent to in selects and with limits}
  public SendChannel<M> mailbox() {
    return mailbox;
  }

  /// {@return the messages that its mailbox had taken, and that no task of it had received when it
  /// ended} Empty before.
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

  /// Runs code as a task of the computicle, which may suspend. Its thread-bound objects, such as
  /// add-ons, belong to that code alone. Never a suspension point.
  ///
  /// @param <T> what it results in
  /// @param code handed over with all that it refers to
  /// @return to wait for its end
  /// @throws ComputicleEndedException if the computicle has quit or ended; the code does not run
  public <T extends @Nullable Object> RemoteTask<T> exec(TaskCall<? extends T, ?> code) {
    var task = new RemoteTask<T>("exec in " + name, code, parent.isSimulated(), unfinished::remove);
    unfinished.add(task);
    whenOpened(app -> hand(app, task)); // if never, the end abandons it
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
  /// @return to wait for its end
  /// @throws ComputicleEndedException if the computicle has quit or ended; the code does not run
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public RemoteTask<@Nullable Void> exec(TaskAction<?> code) {
    requireNonNull(code, "code is null");
    return this.<@Nullable Void>exec(() -> {
      code.run();
      return null;
    });
  }

  /// Does something with the application as soon as there is one, in the order of the calls.
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

  /// Asks it to end: its mailbox takes no more messages, [#exec] no more code, and
  /// `app.shutdownRequested()` comes. Its tasks go on until they have ended by themselves; messages
  /// that were taken can still be received. Never a suspension point.
  public void quit() {
    quit(FOR_EVER);
  }

  /// [#quit()], but cancels the tasks that are left after a while; they have as long again to clean
  /// up.
  void quit(Duration patience) {
    mailbox.close();
    shutdown(patience, patience);
  }

  /// See [Application#shutdown(Duration, Duration)]. Its mailbox stays open.
  void shutdown(Duration drain, Duration cleanUp) {
    whenOpened(app -> {
      var _ = app.shutdown(drain, cleanUp);
    });
  }

  /// When its scheduler closes they are cancelled, or now if it does already.
  void cancelChildren() {
    children.cancel();
  }

  void quitWithGrace() {
    quit(grace);
  }

  /// Waits for its end. In a task of another scheduler *always* a suspension point; on another
  /// thread it blocks.
  ///
  /// @throws TaskFailedException if its main has failed, or its application; the cause says how
  /// @throws TaskCancelled if the waiting task is cancelled; the computicle goes on
  /// @throws java.util.concurrent.CancellationException if the waiting thread is interrupted, and
  ///   it still is then; the computicle goes on
  /// @throws IllegalStateException if it joins itself, or on a scheduler's thread outside a
  ///   stackful task
  public void join() {
    refuseItself("join");
    ending.join();
  }

  /// [#join()] with a limit. The computicle goes on after it.
  ///
  /// @param timeout at least zero; centuries mean for ever
  /// @throws TaskFailedException if its main has failed, or its application; the cause says how
  /// @throws dev.rondo.scheduler.TimedOutException if it had not ended in time
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

  /// Whether this is its own thread, or a task of it.
  boolean isCurrent() {
    Application own = opened.isDone() && !opened.isCompletedExceptionally() ? opened.join() : null;
    return own != null && Scheduler.currentOrNull() == own.scheduler();
  }

  /// {@return its end as an event, for selects and step tasks of any scheduler} A wait fails as
  /// [#join()] does. From now on its failure counts as awaited.
  public Waitable<@Nullable Void> ended() {
    return ending.event();
  }

  /// {@return whether it has ended}
  boolean isDone() {
    return ending.isOver();
  }

  /// Ends it and waits for that: [#quit()], then [#join()]. After the grace of its builder the
  /// tasks that are left are cancelled. In a task it suspends, and a cancellation does not keep it
  /// from waiting.
  ///
  /// @throws TaskFailedException if its main has failed; the cause says how
  @Override
  public void close() {
    refuseItself("close");
    quitWithGrace();
    ending.joinShielded();
  }

  /// Blocks, whatever thread this is, until it has ended; its failure is not thrown.
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
