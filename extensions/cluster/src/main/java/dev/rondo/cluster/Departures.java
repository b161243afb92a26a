package dev.rondo.cluster;

import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The engines of earlier stays, which leave one after the other while the node goes on alone.
///
/// Confined to the scheduler's thread.
final class Departures {

  /// Done when all have left.
  private CompletableFuture<@Nullable Void> last = CompletableFuture.completedFuture(null);

  /// Has an engine leave, after those before it.
  void begin(Engine engine) {
    if (!engine.blocks()) {
      engine.drop();
      return;
    }
    CompletableFuture<@Nullable Void> earlier = last;
    var done = new CompletableFuture<@Nullable Void>();
    last = done;
    var _ =
        Thread.startVirtualThread(() -> {
          try {
            var _ = earlier.join();
            engine.leave();
          } finally {
            done.complete(null);
          }
        });
  }

  /// Waits until all have left: they have the address of the node, and its log. *Possibly* a
  /// suspension point.
  void await(Scheduler scheduler) {
    if (!last.isDone()) {
      scheduler.blocking(last::join);
    }
  }
}
