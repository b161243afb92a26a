package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The tasks that wait for a signal.
final class SignalWaitersTest extends OnEveryBackend {

  /// More tasks than a signal wakes one by one.
  private static final int CROWD = 100;

  private Task<Object> waiter(String name) {
    return scheduler.spawn(name, () -> scheduler.await(signals.signal("go")));
  }

  @Test
  void waiters_severalWait_inWakingOrder() {
    assertEquals(List.of(), signals.waiters("go"));
    List<Task<?>> tasks = List.of(waiter("w1"), waiter("w2"), waiter("w3"));
    settle();
    List<Task<?>> before = signals.waiters("go");
    assertEquals(tasks, before);
    assertEquals(List.of(), signals.waiters("other"));
    signals.signalOne("go", null);
    assertEquals(tasks.subList(1, 3), signals.waiters("go"));
    assertEquals(tasks, before, "a snapshot");
    tasks.get(1).cancel("test");
    assertEquals(tasks.subList(2, 3), signals.waiters("go"));
    signals.signalAll("go", null);
    assertEquals(List.of(), signals.waiters("go"));
    scheduler.start();
  }

  @Test
  void waiters_crowdIsWokenAndSomeWaitAgain_onlyThese() {
    List<Task<?>> tasks = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      boolean again = i % 2 == 1;
      tasks.add(
          scheduler.spawn(() -> {
            scheduler.await(signals.signal("go"));
            if (again) {
              scheduler.await(signals.signal("go"));
            }
          }));
    }
    settle();
    assertEquals(tasks, signals.waiters("go"));
    assertEquals(CROWD, signals.signalAll("go", null));
    assertEquals(List.of(), signals.waiters("go"));
    Task<?> late = waiter("late");
    settle();
    List<Task<?>> left = new ArrayList<>();
    for (int i = 1; i < CROWD; i += 2) {
      left.add(tasks.get(i));
    }
    left.add(late);
    assertEquals(left, signals.waiters("go"));
    signals.signalAllImmediate("go", null);
    assertEquals(List.of(), signals.waiters("go"));
    scheduler.start();
  }

  @Test
  void waiters_ofASelectAndAComposite_eachWhereItWaits() {
    Signal<String> part = new Signal<>(scheduler, "part");
    CompositeSignal<List<String>> all = signals.onAll(part);
    Task<?> selects = scheduler.spawn(() -> scheduler.select(part, part));
    Task<?> composite = scheduler.spawn(() -> scheduler.await(all));
    settle();
    assertEquals(List.of(selects, selects), part.waiters(), "once for each branch");
    assertEquals(part.waiterCount(), part.waiters().size());
    assertEquals(List.of(composite), all.waiters());
    part.signalAll("x");
    scheduler.start();
    assertEquals(List.of(), all.waiters());
  }

  @Test
  void waiters_ofAQueuedSignal_inWakingOrder() {
    QueuedSignal<String> queued = new QueuedSignal<>(scheduler, "queued");
    Task<?> first = scheduler.spawn(() -> scheduler.await(queued));
    Task<?> second = scheduler.spawn(() -> scheduler.await(queued));
    settle();
    assertEquals(List.of(first, second), queued.waiters());
    queued.signalOne("x");
    assertEquals(List.of(second), queued.waiters());
    queued.signalAll("y");
    scheduler.start();
    assertEquals(List.of(), queued.waiters());
  }

  @Test
  void waiters_listChanged_refused() {
    waiter("w1");
    settle();
    assertThrows(UnsupportedOperationException.class, () -> signals.waiters("go").removeFirst());
    signals.signalAll("go", null);
    scheduler.start();
  }

  @Test
  void waiters_noName_saysSo() {
    assertEquals(
        "name is null",
        assertThrows(NullPointerException.class, () -> signals.waiters(null)).getMessage());
  }
}
