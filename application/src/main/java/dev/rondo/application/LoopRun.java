package dev.rondo.application;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.observe.TaskInfo;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// The thread of one loop of a group, and what other threads know of it.
final class LoopRun {

  private final LoopGroup group;
  private final int index;
  private final String name;
  private final CompletableFuture<Application> built = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private final AtomicInteger spawned = new AtomicInteger();
  private volatile @Nullable Thread thread;
  private volatile @Nullable GroupLoop loop;
  private volatile @Nullable Throwable failure;

  LoopRun(LoopGroup group, int index, String name) {
    this.group = group;
    this.index = index;
    this.name = name;
  }

  void start(LoopGroup.Main main, boolean virtual) {
    Thread.Builder maker = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    thread = maker.name(name).start(() -> run(main));
  }

  private void run(LoopGroup.Main main) {
    MDC.put(LoopGroup.MDC_KEY, name);
    try {
      group.builder().runHere(this::publish, app -> runMain(main));
    } catch (Throwable e) {
      failure = e;
      built.completeExceptionally(e);
      group.failed(e);
    } finally {
      end.complete(null);
    }
  }

  /// Main begins when all loops are there, so that each can call in at every other.
  private void publish(Application app) {
    loop = new GroupLoop(group, app, index, name);
    built.complete(app);
    group.awaitBuilt();
  }

  /// While main runs, other loops may call in.
  private void runMain(LoopGroup.Main main) throws Exception {
    GroupLoop own = Objects.requireNonNull(loop);
    try (var _ = own.app().scheduler().keepAlive()) {
      main.run(own);
    }
  }

  void awaitBuilt() {
    built.exceptionally(failed -> null).join(); // a failure is that of the group
  }

  void awaitEnd() throws InterruptedException {
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

  String name() {
    return name;
  }

  boolean isRunning() {
    return loop != null && !end.isDone();
  }

  /// The application while it runs; null otherwise.
  @Nullable Application application() {
    GroupLoop known = loop;
    return known == null || end.isDone() ? null : known.app();
  }

  /// How many tasks were spawned from outside and have not ended.
  int spawned() {
    return spawned.get();
  }

  /// A loop that is being made stops when it is there.
  void stop() {
    built.thenAccept(Application::stop);
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
    GroupLoop own = loop;
    var result = new CompletableFuture<T>();
    spawned.incrementAndGet();
    result.whenComplete((value, failed) -> spawned.decrementAndGet());
    if (own == null || !own.app().post(() -> spawnHere(own, task, code, result))) {
      var refused = new RejectedExecutionException("loop " + name + " is not running");
      result.completeExceptionally(refused);
      throw refused;
    }
    return result;
  }

  private <T extends @Nullable Object> void spawnHere(
      GroupLoop own, String name, LoopGroup.Call<T> code, CompletableFuture<T> result) {
    if (result.isDone()) {
      return; // cancelled
    }
    Task<T> task;
    try {
      task = own.app().spawn(name, () -> code.call(own));
    } catch (IllegalStateException e) {
      result.completeExceptionally(
          new RejectedExecutionException("loop " + this.name + " ends", e));
      return;
    }
    task.addListener(() -> settle(task, result), Runnable::run);
    result.whenComplete((value, failed) -> {
      if (result.isCancelled()) {
        boolean _ = task.cancel("the future of its spawn is cancelled");
      }
    });
  }

  private static <T extends @Nullable Object> void settle(
      Task<T> task, CompletableFuture<T> result) {
    switch (Objects.requireNonNull(task.outcome())) {
      case Outcome.Success<T>(T value) -> result.complete(value);
      case Outcome.Failure<T>(Throwable cause) -> result.completeExceptionally(cause);
      case Outcome.Cancelled<T>(var cause) -> result.completeExceptionally(cause);
    }
  }
}
