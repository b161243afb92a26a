package dev.rondo.application;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One program on several applications, each with a thread of its own, such as a server on all
/// cores. Made by [ApplicationBuilder#loops(String, int)].
///
/// Each loop runs the same main, with its own [Member]. The variables of that main belong to its
/// loop. Loops share no data of their own, so no lock is needed.
///
/// ```java
/// Application.builder().loops("server", 2).run(loop -> {
///   var served = new Counter();                      // of this loop
///   try (var listener = loop.listen(address)) {      // a port that all loops share
///     while (true) { serve(listener.accept(), served); }
///   }
/// });
/// ```
///
/// **The end.** A loop ends as an application does: when its main has ended and no work is left.
/// While its main runs, a loop expects calls from other threads, so waits that only such calls can
/// end are not a deadlock. SIGINT, SIGTERM and other ends of the JVM end each loop in an orderly
/// way, as they end an application. A group runs once.
///
/// **Failures.** If the main of one loop fails, or the loop itself does, all loops end: the others
/// are cancelled and clean up. An orderly shutdown that is under way goes on. With
/// [#restartFailed(int, Duration)] the failed loop begins again instead, and the others go on.
///
/// **Names.** Loop 2 of the group `server` runs on the thread `server-2`, which logs, dumps and JMX
/// show.
///
/// **Simulation.** A simulated host has one thread for all its loops: a group does not start there.
///
/// Any thread. Methods that wait block the calling thread: in a task, use
/// [Application#blocking(TaskCall)], or await the future.
public final class LoopGroup implements AutoCloseable {

  /// The program that each loop runs.
  @FunctionalInterface
  public interface Main {

    /// Runs as the task `main` of each loop; may suspend at any depth.
    ///
    /// @param loop the loop it runs on
    /// @throws Exception any failure: all loops end, and `run` throws it, or this loop is restarted
    void run(Member loop) throws Exception;
  }

  /// Code that is spawned on a loop.
  ///
  /// @param <T> the type of the result
  @FunctionalInterface
  public interface Call<T extends @Nullable Object> {

    /// Runs as a task of the loop; may suspend at any depth.
    ///
    /// @param loop the loop it runs on
    /// @return the result
    /// @throws Exception any failure of the task
    T call(Member loop) throws Exception;
  }

  private final ApplicationBuilder builder;
  private final String name;
  private final List<LoopRun> runs;
  private final AcceptorLoop acceptor;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

  /// Set before it starts.
  private GroupPorts ports;

  /// Set before it starts.
  private Restarts restarts = Restarts.never();

  /// Guarded by this.
  private boolean started;

  /// Open when all loops are to end. A thread opens it before it looks for the existing loops; a
  /// loop reads it after it has been added to them.
  private final CountDownLatch ending = new CountDownLatch(1);

  /// Written once, guarded by this; read by any thread.
  private volatile @Nullable Throwable firstFailure;

  /// Set by [#exit(int)].
  private volatile int exitCode = ExitCode.SUCCESS;

  private volatile boolean interrupted;

  private final LoopThreads threads;

  /// Makes the pauses of a loop. Set before it starts, by tests.
  Supplier<RestartPause> restartPauses =
      () -> new RestartPause(System::nanoTime, this::sleepUntilEnding);

  LoopGroup(ApplicationBuilder builder, String name, int count) {
    this(builder, name, count, (thread, body) -> builder.threads().name(thread).unstarted(body));
  }

  /// @param threads makes the threads of its loops
  LoopGroup(ApplicationBuilder builder, String name, int count, LoopThreads threads) {
    Objects.requireNonNull(name, "name is null");
    if (count < 1) {
      throw new IllegalArgumentException("a group has at least one loop: count=" + count);
    }
    this.builder = builder;
    this.name = name;
    this.threads = threads;
    this.runs =
        IntStream.range(0, count)
            .mapToObj(index -> new LoopRun(this, index, name + "-" + index))
            .toList();
    this.acceptor =
        new AcceptorLoop(
            name + "-acceptor", threads, builder::buildAcceptor, this::report, this::acceptFailed);
    this.ports = new GroupPorts(AcceptSharing.AUTOMATIC, acceptor);
  }

  // Settings.

  /// Sets how the loops share the connections to a port. The default is [AcceptSharing#AUTOMATIC].
  ///
  /// @param sharing see [AcceptSharing]
  /// @return this group
  /// @throws IllegalStateException if the group has been started
  public LoopGroup accept(AcceptSharing sharing) {
    Objects.requireNonNull(sharing, "sharing is null");
    requireNotStarted("accept");
    ports = new GroupPorts(sharing, acceptor);
    return this;
  }

  /// Restarts a loop that fails, with a new application and the main of the group. The tasks of the
  /// failed application are cancelled, and its connections are closed. The failure goes to the
  /// failure handler. If loops fail more often, the next failure ends all loops, as it does by
  /// default.
  ///
  /// The loop begins again at once. If it fails soon after a restart, it begins again after a pause
  /// of 100 ms, which doubles with each such failure to 30 s and is logged at WARN. A loop that ran
  /// for 30 s begins again at once. During a pause the loop is not running, as after its end. The
  /// end of the group ends the pause.
  ///
  /// @param most the number of restarts of all loops together, at least one
  /// @param within the time in which restarts are counted, above zero
  /// @return this group
  /// @throws IllegalArgumentException if `most` or `within` is too small
  /// @throws IllegalStateException if the group has been started
  public LoopGroup restartFailed(int most, Duration within) {
    Objects.requireNonNull(within, "within is null");
    if (most < 1 || !within.isPositive()) {
      throw new IllegalArgumentException(
          "restarts must be at least 1, within more than 0: most=%d, within=%s"
              .formatted(most, ReportText.duration(within)));
    }
    requireNotStarted("restartFailed");
    restarts = new Restarts(most, within, System::nanoTime);
    return this;
  }

  private synchronized void requireNotStarted(String call) {
    if (started) {
      throw new IllegalStateException(call + " must be called before the group starts");
    }
  }

  GroupPorts ports() {
    return ports;
  }

  ApplicationBuilder builder() {
    return builder;
  }

  // Running.

  /// Runs the program on all loops, and waits until all have ended. An interrupt of the calling
  /// thread ends all loops; the thread is interrupted again afterwards.
  ///
  /// @param main the program
  /// @throws RuntimeException the failure of the first loop that failed, with the failures of other
  ///   loops suppressed; as [Application#run] throws it
  /// @throws IllegalStateException as [#start(Main)] does
  public void run(Main main) {
    start(main);
    awaitEnd();
    try {
      end.join();
    } catch (CompletionException | CancellationException e) {
      throw unchecked(firstFailure); // the future may have wrapped it
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable failure) {
    return switch (failure) {
      case RuntimeException known -> known;
      case Error known -> throw known;
      case null, default -> new IllegalStateException(failure);
    };
  }

  /// Runs the program as [#run(Main)] does, and then exits the JVM with [#exitCode()], or with
  /// [ExitCode#FAILURE]. A failure is logged.
  ///
  /// @param main the program
  public void runAndExit(Main main) {
    Objects.requireNonNull(main, "main is null");
    int code;
    try {
      run(main);
      code = exitCode();
    } catch (Throwable e) {
      FailureLogger.endedUnlessJvmEnds(e);
      code = ExitCode.FAILURE;
    }
    System.exit(code);
  }

  /// Starts the program on all loops. Returns when every loop exists; no main begins earlier.
  ///
  /// @param main the program
  /// @return completed when all loops have ended, as [#run(Main)] returns or throws; cancelling it
  ///   changes nothing else
  /// @throws IllegalStateException if the group has been started before, or a task of a simulated
  ///   host calls this; also if the system has no thread for a loop: then no main has run and all
  ///   loops have ended
  public CompletableFuture<@Nullable Void> start(Main main) {
    Objects.requireNonNull(main, "main is null");
    requireThreads();
    synchronized (this) {
      if (started) {
        throw new IllegalStateException("a group of loops runs once: make another");
      }
      started = true;
    }
    CompletableFuture<?>[] ends = runs.stream().map(LoopRun::end).toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(ends).whenComplete((none, failure) -> complete());
    startThreads(main);
    awaitBuilt();
    return end.copy();
  }

  /// @throws IllegalStateException if a thread cannot be started, when the others have ended
  private void startThreads(Main main) {
    for (int i = 0; i < runs.size(); i++) {
      LoopRun run = runs.get(i);
      try {
        run.start(main, threads);
      } catch (Throwable e) {
        var failure =
            new IllegalStateException(
                "the thread of loop '%s' could not be started, so no loop of group '%s' has begun"
                    .formatted(run.name(), name),
                e);
        failed(failure);
        ending.countDown(); // also when the JVM ends
        runs.subList(i, runs.size()).forEach(LoopRun::neverBegins);
        awaitEnd();
        throw failure;
      }
    }
  }

  private void requireThreads() {
    Scheduler current = Scheduler.currentOrNull();
    if (current != null && LoopControl.of(current.host()).idleStrategy() instanceof LoopStarter) {
      throw new IllegalStateException(
          "each loop of group '%s' needs a thread, and all loops of a simulated host share one: start computicles, or a host for each loop"
              .formatted(name));
    }
  }

  void awaitBuilt() {
    runs.forEach(LoopRun::awaitBuilt);
  }

  private void complete() {
    try {
      acceptor.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Throwable first = firstFailure;
    if (first == null) {
      end.complete(null);
      return;
    }
    runs.stream()
        .map(LoopRun::failure)
        .filter(each -> each != null && each != first)
        .forEach(first::addSuppressed);
    end.completeExceptionally(first);
  }

  /// Reports a failure that no task observes, and that belongs to no loop in particular.
  private void report(String where, Throwable failure) {
    for (LoopRun each : runs) {
      Application app = each.application();
      if (app != null) {
        app.scheduler().host().report(where + " of group '" + name + "'", failure);
        return;
      }
    }
  }

  // Failures.

  /// {@return the pauses of one loop}
  RestartPause restartPause() {
    return restartPauses.get();
  }

  /// Waits for a time, or until the group is ending.
  void sleepUntilEnding(Duration time) throws InterruptedException {
    boolean _ = ending.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Whether a loop that has failed may begin again.
  boolean mayRestart() {
    return !isEnding() && !ShutdownHook.isJvmEnding() && restarts.tryOne();
  }

  /// Called when a loop has ended with a failure: all loops end, unless they are ending in order.
  void failed(Throwable failure) {
    synchronized (this) {
      if (firstFailure == null) {
        firstFailure = failure;
      }
    }
    if (!isEnding() && !ShutdownHook.isJvmEnding()) {
      stop();
    }
  }

  private void acceptFailed(String what, Throwable cause) {
    failed(
        new IllegalStateException(
            "%s failed, so the loops of group '%s' would wait for connections for ever"
                .formatted(what, name),
            cause));
  }

  // The end.

  /// Ends all loops after their current turns: their tasks are cancelled, and clean up.
  public void stop() {
    ending.countDown();
    runs.forEach(LoopRun::stop);
  }

  boolean isEnding() {
    return ending.getCount() == 0;
  }

  /// Ends all loops as [#stop()] does, with an exit code for [#runAndExit(Main)].
  ///
  /// @param code 0 for success
  public void exit(int code) {
    exitCode = code;
    stop();
  }

  /// {@return the code given to [#exit(int)]; without one, the first code other than
  /// [ExitCode#SUCCESS] of an ended loop, see [Application#exitCode()]; [ExitCode#INTERRUPTED] if
  /// an interrupt has ended the group}
  public int exitCode() {
    return IntStream.concat(IntStream.of(exitCode), runs.stream().mapToInt(LoopRun::exitCode))
        .filter(code -> code != ExitCode.SUCCESS)
        .findFirst()
        .orElse(interrupted ? ExitCode.INTERRUPTED : ExitCode.SUCCESS);
  }

  /// Ends all loops in order, at the same time, see [Application#shutdown(Duration, Duration)].
  ///
  /// @param drain how long tasks may go on, at least zero
  /// @param cleanUp how long cancelled tasks may take to end, at least zero
  /// @return completed at the end, with the tasks that did not end
  /// @throws IllegalArgumentException if one of the durations is negative; the group goes on
  public CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp) {
    requireNotNegative("drain", drain);
    requireNotNegative("cleanUp", cleanUp);
    ending.countDown();
    List<CompletableFuture<List<TaskInfo>>> ends =
        runs.stream().map(run -> run.shutdown(drain, cleanUp)).toList();
    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
        .thenApply(none -> ends.stream().flatMap(each -> each.join().stream()).toList());
  }

  private static void requireNotNegative(String name, Duration time) {
    if (Objects.requireNonNull(time, () -> name + " is null").isNegative()) {
      throw new IllegalArgumentException(
          name + " must not be negative, but is " + ReportText.duration(time));
    }
  }

  /// Stops all loops and waits until they have ended. An interrupt does not end the wait; the
  /// calling thread is interrupted again afterwards. Later calls do nothing.
  ///
  /// @throws IllegalStateException if a task of one of the group's loops calls this method; use
  ///   [#stop()]
  @Override
  public void close() {
    if (runs.stream().anyMatch(LoopRun::isCurrent)) {
      throw new IllegalStateException(
          "a task of a group's loop called close(), which would wait for the task's end: use"
              + " stop()");
    }
    synchronized (this) {
      if (!started) {
        started = true;
        runs.forEach(LoopRun::neverBegins);
        return;
      }
    }
    stop();
    awaitEnd();
  }

  private void awaitEnd() {
    boolean cut = false;
    for (LoopRun run : runs) {
      while (true) {
        try {
          run.awaitEnd();
          break;
        } catch (InterruptedException e) {
          cut = true;
          interrupted = true;
          stop();
        }
      }
    }
    if (cut) {
      Thread.currentThread().interrupt();
    }
  }

  // Work for a loop.

  /// Spawns a task on one loop.
  ///
  /// @param <T> the type of the result
  /// @param index the loop's index, from 0
  /// @param name of the task, shown in reports
  /// @param code runs on that loop
  /// @return the result; it fails with a [RejectedExecutionException] if the loop is shutting down.
  ///   Cancelling it cancels the task. In a task, await it as a
  ///   [dev.rondo.scheduler.Scheduler#completion]
  /// @throws RejectedExecutionException if that loop has ended, or the group was not started
  /// @throws IndexOutOfBoundsException if there is no such loop
  public <T extends @Nullable Object> CompletableFuture<T> spawnOn(
      int index, String name, Call<T> code) {
    return runs.get(Objects.checkIndex(index, runs.size())).spawn(name, code);
  }

  /// Spawns a task, as [#spawnOn(int, String, Call)] does, on the least busy loop. That is the loop
  /// with the fewest tasks that these two methods have spawned and that have not ended, or the
  /// first of several such loops.
  ///
  /// @param <T> the type of the result
  /// @param name of the task, shown in reports
  /// @param code runs on that loop
  /// @return the result
  /// @throws RejectedExecutionException if no loop is running
  public <T extends @Nullable Object> CompletableFuture<T> spawnOnLeastBusy(
      String name, Call<T> code) {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(code, "code is null");
    return runs.stream()
        .filter(LoopRun::accepts)
        .min(Comparator.comparingInt(LoopRun::spawned))
        .orElseThrow(() ->
            new RejectedExecutionException(
                "no loop of group '"
                    + this.name
                    + "' is running: it has not started, or is ending"))
        .spawn(name, code);
  }

  /// {@return a description of the activity of every task, one loop after the other} Waits up to
  /// two seconds for each answer of a loop.
  public String dump() {
    var text = new StringBuilder();
    for (LoopRun run : runs) {
      Application app = run.application();
      text.append(run.name()).append(": ");
      text.append(app == null ? "not running\n" : "\n" + app.dump());
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return "loops '" + name + "'";
  }

  /// One loop of a [LoopGroup], as the tasks on it see it. A restarted loop is another member with
  /// the same index and name.
  ///
  /// Confined to the thread of the loop, except where a method says otherwise.
  public static final class Member {

    private final LoopGroup group;
    private final Application app;
    private final int index;
    private final String name;

    Member(LoopGroup group, Application app, int index, String name) {
      this.group = group;
      this.app = app;
      this.index = index;
      this.name = name;
    }

    /// {@return the group it belongs to} Any thread.
    public LoopGroup group() {
      return group;
    }

    /// {@return the application that runs on it} Any thread.
    public Application app() {
      return app;
    }

    /// {@return its number in the group, from 0} Any thread.
    public int index() {
      return index;
    }

    /// {@return the name of its thread} Any thread.
    public String name() {
      return name;
    }

    /// Listens on a port that all loops of the group share, see [AcceptSharing]. A connection stays
    /// on the loop that accepts it, unless [dev.rondo.io.TcpSocket#detach()] moves it. On the
    /// loop's thread. Never a suspension point.
    ///
    /// @param address resolved; with port 0 the first loop finds a free port, and the others share
    ///   it. If a loop does so several times on one interface, its first port is the first port of
    ///   the other loops, and so on
    /// @return the listener of this loop, which the caller closes; the loop closes it at its end
    /// @throws UnsupportedOperationException if the group is set to reuse ports, and the system
    ///   cannot
    /// @throws java.net.BindException if the port is in use, also by this loop
    /// @throws IOException if listening fails otherwise
    public LoopListener listen(InetSocketAddress address) throws IOException {
      return LoopPorts.of(this, group.ports()).listen(address);
    }

    @Override
    public String toString() {
      return "loop '" + name + "'";
    }
  }
}
