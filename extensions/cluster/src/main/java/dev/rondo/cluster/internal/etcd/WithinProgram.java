package dev.rondo.cluster.internal.etcd;

import dev.rondo.condition.Cell;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A task of the program's scheduler, which no cancellation ends: leases can be given back while
/// the program's tasks clean up.
///
/// Confined to the scheduler's thread.
public final class WithinProgram implements EtcdSeat {

  private final Scheduler scheduler;
  private final Supplier<String> ids;

  /// Grows with each change that a task may wait for.
  private final Cell<Integer> news;

  private boolean started;
  private boolean ended;

  /// Makes one.
  ///
  /// @param ids those of the world
  public WithinProgram(Scheduler scheduler, Supplier<String> ids) {
    this.scheduler = scheduler;
    this.ids = ids;
    this.news = new Cell<>(scheduler, "news of etcd", 0);
  }

  @Override
  public boolean blocks() {
    return false;
  }

  @Override
  public String newId() {
    return ids.get();
  }

  @Override
  public long nowNanos() {
    return scheduler.host().nowNanos();
  }

  /// A world has no names.
  @Override
  public InetSocketAddress resolve(Scheduler own, InetSocketAddress server) throws IOException {
    if (server.isUnresolved()) {
      throw new IOException("no address is known of " + server.getHostString());
    }
    return server;
  }

  @Override
  public void start(String name, Consumer<Scheduler> code, Consumer<Throwable> failed) {
    started = true;
    boolean _ =
        scheduler.scheduleTask(
            scheduler
                .newTask(
                    name,
                    () -> {
                      try {
                        scheduler.shielded(() -> code.accept(scheduler));
                      } catch (RuntimeException e) {
                        failed.accept(e);
                      } finally {
                        ended = true;
                        changed();
                      }
                    })
                .daemon());
  }

  private void changed() {
    news.set(news.get() + 1);
  }

  @Override
  public void await(CompletableFuture<?> done, long nanos)
      throws TimeoutException, ExecutionException, InterruptedException {
    var _ = done.whenComplete((result, failure) -> changed());
    if (waitUntil(Duration.ofNanos(Math.max(0, nanos)), done::isDone)) {
      var _ = done.get();
    } else {
      throw new TimeoutException();
    }
  }

  private boolean waitUntil(Duration limit, BooleanSupplier condition) {
    try {
      scheduler.within(
          limit,
          () ->
              WaitForCondition.on(scheduler)
                  .waitFor(() -> {
                    int _ = news.get();
                    return condition.getAsBoolean();
                  }));
    } catch (TimedOutException e) {
      return false;
    }
    return true;
  }

  @Override
  public boolean awaitEnd(Duration limit) {
    return !started || waitUntil(limit, () -> ended);
  }
}
