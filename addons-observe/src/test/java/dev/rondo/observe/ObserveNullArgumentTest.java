package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.observe.internal.LoopMonitor;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.NullArguments;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class ObserveNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(Scheduler::create)
          .sample(Task.class, scheduler -> scheduler.spawn(() -> {}))
          .sample(LoopView.class, LoopView::of)
          .sample(Throwable.class, scheduler -> new IllegalStateException("sample"))
          .sample(Observers.class, scheduler -> new Observers())
          .sample(Recorder.class, scheduler -> Recorder.ofCapacity(1))
          .sample(Recording.class, scheduler -> Recorder.ofCapacity(1).recording())
          .sample(LoopMonitor.class, scheduler -> monitor())
          .sample(TaskLimits.class, scheduler -> TaskLimits.UNLIMITED);

  private static LoopMonitor monitor() {
    try (Scheduler closed =
        Scheduler.builder().instrument(new Observers().outsideAccess()).build()) {
      return LoopMonitor.all().stream()
          .filter(each -> each.scheduler() == closed)
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void null_toObservers_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(Observers.class));
  }
}
