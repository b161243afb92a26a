package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.application.Application;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// How to test an add-on: on every backend, in virtual time.
@EveryBackend
@BackendsDiffer
final class WaitForFrameTest {

  @Parameter(0)
  CoroutineBackend backend;

  private final VirtualClock clock = new VirtualClock();
  private final List<Object> log = new ArrayList<>();

  private void run(Application.Main main) {
    var builder =
        Application.builder()
            .backend(backend)
            .clock(clock)
            .bare()
            .addOn(scheduler -> new WaitForFrame(scheduler, Duration.ofMillis(10)));
    builder.run(main);
  }

  private void log(String who, long frame) {
    log.add(who + frame + "@" + clock.elapsed().toMillis());
  }

  @Test
  void describe_tasksWait_areInTheReport() {
    run(app -> {
      WaitForFrame frames = app.addOn(WaitForFrame.class);
      app.spawn("a", () -> log("a", frames.nextFrame()));
      app.yield();
      assertEquals(
          List.of(
              new AddOnInfo(
                  "WaitForFrame",
                  List.of(new AddOnInfo.Figure("frames.waiting", 1, false)),
                  List.of("next is frame 1"))),
          LoopView.of(app.scheduler()).addOns());
    });
    assertEquals(List.of("a1@10"), log);
  }

  @Test
  void nextFrame_severalWait_allGetItInTheOrderTheyCame() {
    run(app -> {
      WaitForFrame frames = app.addOn(WaitForFrame.class);
      for (String who : List.of("a", "b")) {
        app.spawn(
            who,
            () -> {
              log(who, frames.nextFrame());
              log(who, frames.nextFrame());
            });
      }
    });
    assertEquals(List.of("a1@10", "b1@10", "a2@20", "b2@20"), log);
  }

  @Test
  void nextFrame_afterALongPause_skipsThoseThatWereMissed() {
    run(app -> {
      app.sleep(Duration.ofMillis(35));
      log("a", app.addOn(WaitForFrame.class).nextFrame());
    });
    assertEquals(List.of("a4@40"), log);
  }

  @Test
  void nextFrame_anotherComesWhenTheFrameIsDue_isNotMissed() {
    run(app -> {
      WaitForFrame frames = app.addOn(WaitForFrame.class);
      app.spawn("a", () -> log("a", frames.nextFrame()));
      app.sleep(Duration.ofMillis(5)); // the add-on is idle by then
      clock.skip(Duration.ofMillis(5)); // as a long turn does
      frames.nextFrame();
    });
    assertEquals("a1@10", log.getFirst());
  }

  @Test
  void await_timeoutFirst_leavesNobodyWaiting() {
    run(app -> {
      WaitForFrame frames = app.addOn(WaitForFrame.class);
      assertThrows(TimedOutException.class, () -> app.await(frames, Duration.ofMillis(3)));
      log("a", frames.nextFrame());
    });
    assertEquals(List.of("a1@10"), log);
  }

  @Test
  void await_taskOfAnotherScheduler_isRefused() {
    try (Scheduler own = newScheduler();
        Scheduler other = newScheduler()) {
      var frames = new WaitForFrame(own, Duration.ofMillis(10));
      other.spawn(
          "stranger",
          () -> {
            var told = assertThrows(IllegalStateException.class, () -> other.await(frames));
            log.add(told.getMessage());
          });
      other.start();
    }
    assertEquals(
        List.of(
            "task 'stranger' awaits frame 1 of another scheduler: await completion(..) of a future"
                + " or task instead, or hand the event over with post(..)"),
        log);
  }

  private Scheduler newScheduler() {
    return Scheduler.builder().backend(backend).ticker(clock).build();
  }

  @Test
  void nobodyWaits_applicationEnds() {
    run(app -> log("a", app.addOn(WaitForFrame.class).nextFrame()));
    assertEquals(List.of("a1@10"), log);
  }
}
