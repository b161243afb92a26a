package dev.rondo.observe.internal;

import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lets tools observe the tasks of a scheduler: through dumps of the whole process and, once the
/// scheduler has existed for a second, through JMX and the flight recorder. A program that ends
/// earlier has the cost of one waiting thread. The JDK's management takes some time to start, and a
/// program that ends meanwhile does not wait for it.
///
/// The registered objects do not keep the scheduler in memory.
public final class OutsideAccess implements EngineListener {

  private static final long DELAY_NANOS = 1_000_000_000;

  private final LoopView loop;

  /// Finds the loop, as long as this object is reachable.
  private final Supplier<@Nullable LoopView> finder;

  private final Thread opener;
  private final Openings openings = new Openings();

  private OutsideAccess(LoopView loop) {
    this.loop = loop;
    String name = loop.thread().getName();
    var self = new WeakReference<>(this);
    this.finder =
        () -> {
          OutsideAccess access = self.get();
          return access == null ? null : access.loop;
        };
    this.opener =
        Thread.ofPlatform()
            .daemon()
            .name("rondo-access of " + name)
            .unstarted(() -> openLater(self, name));
  }

  /// Gives access to a loop.
  public static EngineListener open(LoopView loop) {
    var access = new OutsideAccess(loop);
    AllLoops.add(access.finder);
    access.opener.start();
    return access;
  }

  private static void openLater(WeakReference<OutsideAccess> self, String name) {
    long begun = System.nanoTime();
    for (long left = DELAY_NANOS; left > 0; left = begun + DELAY_NANOS - System.nanoTime()) {
      LockSupport.parkNanos(self, left);
      OutsideAccess access = self.get();
      if (access == null || access.openings.isClosed()) {
        return;
      }
    }
    openUnless(JfrRecorder.class, self, access -> JfrDump.open(access.finder)::close);
    openUnless(
        SchedulerJmxBean.class,
        self,
        access -> SchedulerJmxBean.openNumbered(access.finder, name)::closed);
    openUnless(null, self, access -> SchedulersJmxBean.open());
  }

  /// @param other the class of an observer that does the same for a scheduler that has it; null if
  ///   there is none
  private static void openUnless(
      @Nullable Class<? extends EngineListener> other,
      WeakReference<OutsideAccess> self,
      Function<OutsideAccess, Runnable> way) {
    OutsideAccess access = self.get();
    if (access == null) {
      return;
    }
    try {
      if (other != null && access.loop.listener(other) != null) {
        return;
      }
      access.openings.open(() -> way.apply(access));
    } catch (LinkageError | IllegalStateException _) {
      // This JVM was started without that module, or forbids it; the other way may be open.
    }
  }

  @Override
  public boolean seesTurns() {
    return false;
  }

  @Override
  public boolean countsTurns() {
    return true;
  }

  @Override
  public void closed() {
    AllLoops.remove(finder);
    openings.close();
    LockSupport.unpark(opener);
  }
}
