package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// [dev.rondo.scheduler.internal.rooms.LoopControl#abandon()]: a scheduler that dies as a process
/// does.
@EveryBackend
@BackendsDiffer
final class AbandonTest extends BackendTest {

  /// How often the collector is asked before something counts as held.
  private static final int COLLECTIONS = 50;

  private final List<String> trace = new ArrayList<>();
  private Scheduler scheduler;

  private AddOnHost open(SchedulerBuilder builder) {
    scheduler = builder.build();
    return scheduler.host();
  }

  @AfterEach
  void close() {
    if (scheduler != null) {
      scheduler.close();
    }
  }

  private Task<Void> spawnParked() {
    Task<Void> task =
        scheduler.spawn(
            "parked",
            () -> {
              try {
                scheduler.suspend();
              } finally {
                trace.add("finally");
              }
            });
    boolean _ = scheduler.step();
    return task;
  }

  @Test
  void abandon_tasksWithThreads_isRefused() {
    AddOnHost host = open(builder());
    assumeFalse(LoopControl.of(host).backend().sharesThread());
    spawnParked();
    var refused = assertThrows(UnsupportedOperationException.class, LoopControl.of(host)::abandon);
    assertEquals(
        "the backend %s cannot give up a task, which has a thread of its own; CONTINUATION can"
            .formatted(backend.name()),
        refused.getMessage());
    scheduler.close();
    assertEquals(List.of("finally"), trace);
  }

  @Test
  void abandon_parkedTask_neverUnwinds() throws InterruptedException {
    AddOnHost host = open(builder().listener(new EndOfListener()));
    assumeTrue(LoopControl.of(host).backend().sharesThread());
    Task<Void> task = spawnParked();
    boolean _ = scheduler.post(() -> trace.add("posted"));
    scheduler.spawn("ready", () -> trace.add("ready"));

    LoopControl.of(host).abandon();

    assertEquals(List.of("listener closed"), trace);
    assertThrows(IllegalStateException.class, scheduler::step);
    assertThrows(IllegalStateException.class, scheduler::start);
    assertThrows(IllegalStateException.class, () -> scheduler.spawn("late", () -> {}));
    assertThrows(IllegalStateException.class, LoopControl.of(host)::abandon);
    var posted = new ArrayList<Boolean>();
    Thread.ofPlatform().start(() -> posted.add(scheduler.post(() -> {}))).join();
    assertEquals(List.of(false), posted);
    boolean _ = task.cancel("late");
    assertDoesNotThrow(scheduler::close);
    assertEquals(List.of("listener closed"), trace);
    assertEquals(List.of(), takeReported());
  }

  private final class EndOfListener implements TaskListener {
    @Override
    public void closed() {
      trace.add("listener closed");
    }
  }

  @Test
  void abandon_inATask_isRefused() {
    AddOnHost host = open(builder());
    scheduler.spawn("main", LoopControl.of(host)::abandon);
    boolean _ = scheduler.step();
    assertEquals("abandon inside of a running scheduler", takeFailures().getFirst().getMessage());
  }

  @Test
  void abandon_withAListener_closesIt() {
    var listener =
        new EngineListener() {
          @Override
          public void closed() {
            trace.add("closed");
          }
        };
    AddOnHost host = open(builder().instrument(made -> LoopView.of(made).add(listener)));
    assumeTrue(LoopControl.of(host).backend().sharesThread());
    LoopControl.of(host).abandon();
    assertEquals(List.of("closed"), trace);
  }

  @Test
  void abandon_referencesGone_releasesTheStacks() {
    AddOnHost host = open(builder());
    assumeTrue(LoopControl.of(host).backend().sharesThread());
    WeakReference<Object> local = parkWithLocal();
    LoopControl.of(host).abandon();
    host = null;
    scheduler = null;
    for (int i = 0; i < COLLECTIONS && local.get() != null; i++) {
      System.gc();
    }
    assertNull(local.get(), "the frames of a task are still reachable");
  }

  private WeakReference<Object> parkWithLocal() {
    var held = new ArrayList<WeakReference<Object>>();
    scheduler.spawn(
        "parked",
        () -> {
          Object[] local = {new Object()};
          held.add(new WeakReference<>(local[0]));
          scheduler.suspend();
          trace.add("kept " + local.length);
        });
    boolean _ = scheduler.step();
    return held.getFirst();
  }
}
