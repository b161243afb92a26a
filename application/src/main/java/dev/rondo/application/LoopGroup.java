package dev.rondo.application;

import dev.rondo.io.SocketOptions;
import dev.rondo.io.TcpListener;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.observe.TaskInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One program on several applications, each with a thread of its own: a server on all cores. Made
/// by [ApplicationBuilder#loops(int)].
///
/// Each loop runs the same main, with its own [GroupLoop]; what that main keeps in variables stays
/// on its loop. Loops share nothing: no lock is needed, and none helps.
///
/// ```java
/// Application.builder().loops(2).run(loop -> {
///   var served = new Counter();                      // of this loop
///   try (var listener = loop.listen(address)) {      // a port that all loops share
///     while (true) { serve(listener.accept(), served); }
///   }
/// });
/// ```
///
/// **The end.** A loop ends as an application does: when its main has ended and no work is left.
/// While its main runs, a loop expects calls from other threads, so that waits which nothing can
/// end are no deadlock. If the main of one loop fails, or the loop itself does, all loops end: they
/// are not restarted, because the state of the one that failed is lost. The others are cancelled
/// and clean up. SIGINT, SIGTERM and other ends of the JVM end each loop in order, as they end an
/// application. A group runs once.
///
/// **Names.** Loop 2 of the group `server` runs on the thread `server-2`, which logs, dumps and JMX
/// show. SLF4J's diagnostic context of that thread has it under `loop`; with
/// [dev.rondo.scheduler.observe.ContextPropagation#mdc()] the tasks on other threads have it, too.
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
    /// @throws Exception any failure: all loops end, and `run` throws it
    void run(GroupLoop loop) throws Exception;
  }

  /// Code that is spawned on a loop.
  ///
  /// @param <T> what it results in
  @FunctionalInterface
  public interface Call<T extends @Nullable Object> {

    /// Runs as a task of the loop; may suspend at any depth.
    ///
    /// @param loop the loop it runs on
    /// @return the result
    /// @throws Exception any failure of the task
    T call(GroupLoop loop) throws Exception;
  }

  /// The key of SLF4J's diagnostic context under which a loop's thread has its name.
  public static final String MDC_KEY = "loop";

  private final ApplicationBuilder builder;
  private final List<LoopRun> runs;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

  /// Of the listeners with any free port: where the first is bound. Guarded by this.
  private final List<InetSocketAddress> bound = new ArrayList<>();

  /// Guarded by this.
  private boolean started;

  /// Written once.
  private volatile @Nullable Throwable firstFailure;

  LoopGroup(ApplicationBuilder builder, String name, int count) {
    Objects.requireNonNull(name, "name is null");
    if (count < 1) {
      throw new IllegalArgumentException("a group has at least one loop: count=" + count);
    }
    this.builder = builder;
    this.runs =
        IntStream.range(0, count)
            .mapToObj(index -> new LoopRun(this, index, name + "-" + index))
            .toList();
  }

  /// {@return how many loops there are}
  public int size() {
    return runs.size();
  }

  /// Runs the program on all loops, and waits until all have ended. An interrupt of the calling
  /// thread ends them; the caller finds it again.
  ///
  /// @param main the program
  /// @throws RuntimeException the failure of the first loop that failed, with those of others
  ///   suppressed; as [Application#run] throws it
  /// @throws IllegalStateException if the group has been started before
  public void run(Main main) {
    start(main);
    awaitEnd();
    try {
      end.join();
    } catch (CompletionException e) {
      throw unchecked(e.getCause());
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable failure) {
    return switch (failure) {
      case RuntimeException known -> known;
      case Error known -> throw known;
      case null, default -> new IllegalStateException(failure);
    };
  }

  /// Starts the program on all loops. Returns when every loop is there; no main begins earlier.
  ///
  /// @param main the program
  /// @return completed when all loops have ended, as [#run(Main)] returns or throws; to cancel it
  ///   changes nothing else
  /// @throws IllegalStateException if the group has been started before
  public CompletableFuture<@Nullable Void> start(Main main) {
    Objects.requireNonNull(main, "main is null");
    synchronized (this) {
      if (started) {
        throw new IllegalStateException("a group of loops runs once: make another");
      }
      started = true;
    }
    boolean onVirtualThreads = builder.isHandoff();
    runs.forEach(run -> run.start(main, onVirtualThreads));
    CompletableFuture<?>[] ends = runs.stream().map(LoopRun::end).toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(ends).whenComplete((none, failure) -> complete());
    awaitBuilt();
    return end.copy();
  }

  void awaitBuilt() {
    runs.forEach(LoopRun::awaitBuilt);
  }

  private void complete() {
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

  /// A loop has ended with a failure: so do all.
  void failed(Throwable failure) {
    synchronized (this) {
      if (firstFailure != null) {
        return;
      }
      firstFailure = failure;
    }
    stop();
  }

  /// Ends all loops after their current turns: their tasks are cancelled, and clean up.
  public void stop() {
    runs.forEach(LoopRun::stop);
  }

  /// Ends all loops in order, at the same time, see [Application#shutdown(Duration, Duration)].
  ///
  /// @param drain how long tasks may go on, at least zero
  /// @param cleanUp how long cancelled tasks may take to end, at least zero
  /// @return completed at the end, with the tasks that did not end
  /// @throws IllegalArgumentException if one of the durations is negative
  public CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp) {
    List<CompletableFuture<List<TaskInfo>>> ends =
        runs.stream().map(run -> run.shutdown(drain, cleanUp)).toList();
    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
        .thenApply(none -> ends.stream().flatMap(each -> each.join().stream()).toList());
  }

  /// Stops all loops and waits until they have ended. An interrupt does not end the waiting, and is
  /// found again. Later calls do nothing.
  @Override
  public void close() {
    synchronized (this) {
      if (!started) {
        started = true;
        return;
      }
    }
    stop();
    awaitEnd();
  }

  private void awaitEnd() {
    boolean interrupted = false;
    for (LoopRun run : runs) {
      while (true) {
        try {
          run.awaitEnd();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
          stop();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // Work for a loop.

  /// Spawns a task on one loop.
  ///
  /// @param <T> what it results in
  /// @param index of the loop, from 0
  /// @param name of the task, shown in reports
  /// @param code runs on that loop
  /// @return the result. To cancel it cancels the task. In a task, await it as a
  ///   [dev.rondo.scheduler.Scheduler#completion(CompletableFuture)]
  /// @throws RejectedExecutionException if that loop has ended, or the group was not started
  /// @throws IndexOutOfBoundsException if there is no such loop
  public <T extends @Nullable Object> CompletableFuture<T> spawnOn(
      int index, String name, Call<T> code) {
    return runs.get(Objects.checkIndex(index, runs.size())).spawn(name, code);
  }

  /// [#spawnOn(int, String, Call)] on the loop that has the fewest tasks which were spawned in
  /// these two ways and have not ended; the first of several such.
  ///
  /// @param <T> what it results in
  /// @param name of the task, shown in reports
  /// @param code runs on that loop
  /// @return the result
  /// @throws RejectedExecutionException if no loop is running
  public <T extends @Nullable Object> CompletableFuture<T> spawnOnLeastBusy(
      String name, Call<T> code) {
    return runs.stream()
        .filter(LoopRun::isRunning)
        .min(Comparator.comparingInt(LoopRun::spawned))
        .orElseThrow(() -> new RejectedExecutionException("no loop is running"))
        .spawn(name, code);
  }

  /// {@return a description of what every task of every loop is doing, one loop after the other,
  /// each at moments of its own} Waits up to two seconds for each answer of a loop. It shows no
  /// circle of waits that passes through several loops: to each of them the others are foreign
  /// threads.
  public String dump() {
    var text = new StringBuilder();
    for (LoopRun run : runs) {
      Application app = run.application();
      text.append(run.name()).append(": ");
      text.append(app == null ? "not running\n" : "\n" + app.dump());
    }
    return text.toString();
  }

  // Listening.

  /// The first loop that listens binds the port, and the others the same.
  TcpListener listen(Application app, InetSocketAddress address, int backlog) throws IOException {
    SocketOptions shared = SocketOptions.of(StandardSocketOptions.SO_REUSEPORT, true);
    synchronized (this) {
      InetSocketAddress actual =
          address.getPort() != 0
              ? address
              : bound.stream()
                  .filter(each -> each.getAddress().equals(address.getAddress()))
                  .findFirst()
                  .orElse(address);
      TcpListener listener = app.io().listen(actual, backlog, shared);
      if (actual.getPort() == 0) {
        bound.add(listener.localAddress());
      }
      return listener;
    }
  }

  ApplicationBuilder builder() {
    return builder;
  }
}
