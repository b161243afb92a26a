package dev.rondo.application;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The thread of one loop of a group, and the loop's state for other threads.
final class LoopRun {

  private final LoopGroup group;
  private final int index;
  private final String name;

  /// Completed when the first application is built, or when it cannot be built.
  private final CompletableFuture<@Nullable Void> built = new CompletableFuture<>();

  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private final AtomicInteger spawned = new AtomicInteger();
  private volatile @Nullable Thread thread;

  /// The loop while an application runs; null otherwise.
  private volatile LoopGroup.@Nullable Member loop;

  /// Whether the loop takes tasks: while its application runs, but not while the application is
  /// closed. Written by the loop; read by any thread.
  private volatile boolean accepts;

  private volatile @Nullable Throwable failure;
  private volatile int exitCode = ExitCode.SUCCESS;

  LoopRun(LoopGroup group, int index, String name) {
    this.group = group;
    this.index = index;
    this.name = name;
  }

  /// Starts its thread. If that is impossible, fails as [Thread#start] does.
  void start(LoopGroup.Main main, LoopThreads threads) {
    Thread made = threads.unstarted(name, () -> run(main));
    thread = made;
    made.start();
  }

  /// Called when the thread has not been started and will not be.
  void neverBegins() {
    thread = null;
    built.complete(null);
    end.complete(null);
  }

  private void run(LoopGroup.Main main) {
    Throwable last = null;
    boolean again;
    RestartPause pause = group.restartPause();
    try {
      do {
        pause.begins();
        last = runOnce(main, last);
        again = last != null && group.mayRestart() && pause.pause(name, last) && !group.isEnding();
      } while (again);
      if (last != null) {
        failure = last;
        group.failed(last);
      }
    } finally {
      built.complete(null);
      end.complete(null);
    }
  }

  /// Runs an application to its end.
  ///
  /// @param before the failure of the last application, which is reported; null if there is none
  /// @return the failure of the application; null if there is none
  private @Nullable Throwable runOnce(LoopGroup.Main main, @Nullable Throwable before) {
    try {
      exitCode =
          group
              .builder()
              .runHere(
                  app -> {
                    if (before != null) {
                      app.scheduler().host().report("loop '" + name + "' (restarted)", before);
                    }
                    publish(app);
                  },
                  app -> runMain(main),
                  () -> accepts = false);
      return null;
    } catch (Throwable e) {
      return e;
    } finally {
      accepts = false;
      loop = null;
    }
  }

  /// Publishes the application. Main begins when all loops exist, so that each loop can call every
  /// other.
  private void publish(Application app) {
    loop = new LoopGroup.Member(group, app, index, name);
    accepts = true;
    built.complete(null);
    group.awaitBuilt();
  }

  /// Runs main. Other loops may call in meanwhile.
  private void runMain(LoopGroup.Main main) throws Exception {
    LoopGroup.Member own = Objects.requireNonNull(loop);
    if (group.isEnding()) {
      own.app().stop(); // the group has not found this loop
      return;
    }
    try (var _ = own.app().scheduler().keepAlive()) {
      main.run(own);
    }
  }

  String name() {
    return name;
  }

  void awaitBuilt() {
    built.join();
  }

  void awaitEnd() throws InterruptedException {
    try {
      end.get();
    } catch (ExecutionException e) {
      throw new AssertionError("it always ends without a failure", e);
    }
    Thread known = thread;
    if (known != null) {
      known.join();
    }
  }

  CompletableFuture<@Nullable Void> end() {
    return end;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  int exitCode() {
    return exitCode;
  }

  boolean accepts() {
    return accepts;
  }

  /// The application while it runs; null otherwise.
  @Nullable Application application() {
    LoopGroup.Member known = loop;
    return known == null ? null : known.app();
  }

  /// How many tasks were spawned from outside and have not ended.
  int spawned() {
    return spawned.get();
  }

  /// Stops the loop. A loop that is being made stops when its main begins.
  void stop() {
    Application app = application();
    if (app != null) {
      app.stop();
    }
  }

  /// Whether the caller is a task of this loop, or between two of its turns.
  boolean isCurrent() {
    Application app = application();
    return app != null && Scheduler.currentOrNull() == app.scheduler();
  }

  CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp) {
    Application app = application();
    return app == null
        ? CompletableFuture.completedFuture(List.of())
        : app.shutdown(drain, cleanUp);
  }

  <T extends @Nullable Object> CompletableFuture<T> spawn(String task, LoopGroup.Call<T> code) {
    Objects.requireNonNull(task, "name is null");
    Objects.requireNonNull(code, "code is null");
    LoopGroup.Member own = loop;
    if (own == null) {
      throw notRunning();
    }
    Application app = own.app();
    var made = new AtomicReference<@Nullable Task<T>>();
    CompletableFuture<T> result =
        TaskControl.of(app.scheduler().host())
            .newFuture(
                () -> "the future of task '" + task + "'",
                "await scheduler.completion(future)",
                made::get);
    spawned.incrementAndGet();
    result.whenComplete((value, failed) -> spawned.decrementAndGet());
    if (!app.post(() -> spawnHere(own, task, code, result, made))) {
      RejectedExecutionException refused = notRunning();
      result.completeExceptionally(refused);
      throw refused;
    }
    return result;
  }

  private RejectedExecutionException notRunning() {
    return new RejectedExecutionException("loop '" + name + "' is not running");
  }

  private <T extends @Nullable Object> void spawnHere(
      LoopGroup.Member own,
      String task,
      LoopGroup.Call<T> code,
      CompletableFuture<T> result,
      AtomicReference<@Nullable Task<T>> holder) {
    if (result.isDone()) {
      return; // cancelled
    }
    Task<T> made;
    try {
      made = own.app().spawn(task, () -> code.call(own));
    } catch (IllegalStateException e) {
      result.completeExceptionally(
          new RejectedExecutionException("loop '" + name + "' is ending", e));
      return;
    }
    holder.set(made);
    made.addListener(() -> settle(made, result), Runnable::run);
    result.whenComplete((value, failed) -> {
      if (result.isCancelled()) {
        boolean _ = made.cancel("the future of its spawn is cancelled");
      }
    });
  }

  private static <T extends @Nullable Object> void settle(
      Task<T> task, CompletableFuture<T> result) {
    switch (Objects.requireNonNull(task.outcome())) {
      case Outcome.Success<T>(T value) -> result.complete(value);
      case Outcome.Failure<T>(Throwable cause) -> result.completeExceptionally(cause);
      case Outcome.Cancelled<T>(var cause) -> {
        var told = new CancellationException(cause.getMessage());
        told.initCause(cause);
        result.completeExceptionally(told);
      }
    }
  }
}
