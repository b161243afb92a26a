package dev.rondo.scheduler.engine.outside;

import com.google.common.collect.MapMaker;
import dev.rondo.scheduler.engine.ExternalWork;
import dev.rondo.scheduler.engine.Loop;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The [FutureHub]s of a scheduler, one for each future that its tasks await. A hub does not keep
/// its future in memory.
///
/// Confined to the scheduler's thread.
final class FutureHubs {

  private final Map<Object, FutureHub<?>> hubs = new MapMaker().weakKeys().makeMap();
  private final ExternalWork work;

  /// @param work counts the waits for futures that other threads complete
  private FutureHubs(ExternalWork work) {
    this.work = work;
  }

  static FutureHubs of(Loop loop) {
    return loop.room(FutureHubs.class, () -> new FutureHubs(loop.externalWork));
  }

  /// The hub of a future. The first call makes it.
  ///
  /// @param outside whether other threads complete the future; the same in each call for it
  @SuppressWarnings("unchecked") // the hub of a future delivers what the future does
  <T extends @Nullable Object> FutureHub<T> of(Object future, boolean outside) {
    return (FutureHub<T>)
        hubs.computeIfAbsent(future, any -> new FutureHub<T>(outside ? work : null));
  }
}
