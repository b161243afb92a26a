package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// How to test an add-on whose events come from another thread.
@EveryBackend
@BackendsDiffer
final class WaitForMessageTest {

  @Parameter(0)
  CoroutineBackend backend;

  private final List<String> log = new ArrayList<>();

  private void run(Application.Main main) {
    var builder =
        Application.builder()
            .backend(backend)
            .clock(new VirtualClock())
            .bare()
            .addOn(WaitForMessage::new);
    builder.run(main);
  }

  /// Delivers messages on another thread, and waits until it has ended.
  private static void deliver(Application app, String... messages) throws Exception {
    WaitForMessage add = app.addOn(WaitForMessage.class);
    app.blocking(() -> List.of(messages).forEach(each -> assertTrue(add.deliver(each))));
  }

  @Test
  void next_anotherThreadDelivers_isNoDeadlock() {
    run(app -> {
      WaitForMessage messages = app.addOn(WaitForMessage.class);
      Thread library = Thread.ofPlatform().daemon().unstarted(() -> messages.deliver("a"));
      app.spawn(library::start); // when main waits
      log.add(messages.next());
    });
    assertEquals(List.of("a"), log);
  }

  @Test
  void next_severalWait_areServedInTheOrderTheyCame() {
    run(app -> {
      WaitForMessage messages = app.addOn(WaitForMessage.class);
      for (String who : List.of("x", "y")) {
        app.spawn(who, () -> log.add(who + messages.next()));
      }
      app.yield();
      deliver(app, "1", "2");
    });
    assertEquals(List.of("x1", "y2"), log);
  }

  @Test
  void deliver_noTaskWaits_keepsTheMessages() {
    run(app -> {
      deliver(app, "1", "2");
      WaitForMessage messages = app.addOn(WaitForMessage.class);
      log.add(messages.next());
      log.add(messages.next());
    });
    assertEquals(List.of("1", "2"), log);
  }

  @Test
  void await_timeoutFirst_leavesTheMessageToTheNext() {
    run(app -> {
      WaitForMessage messages = app.addOn(WaitForMessage.class);
      var late =
          assertThrows(TimedOutException.class, () -> app.await(messages, Duration.ofMillis(3)));
      assertEquals("gave up after 3 ms: the next message", late.getMessage());
      deliver(app, "1");
      log.add(messages.next());
    });
    assertEquals(List.of("1"), log);
  }

  @Test
  void select_anotherBranchFirst_takesNoMessage() {
    run(app -> {
      deliver(app, "1");
      WaitForMessage messages = app.addOn(WaitForMessage.class);
      app.select(Waitable.always("first"), messages);
      log.add(messages.next());
    });
    assertEquals(List.of("1"), log);
  }

  @Test
  void deliver_afterTheEnd_isRefused() {
    var kept = new AtomicReference<WaitForMessage>();
    run(app -> kept.set(app.addOn(WaitForMessage.class)));
    assertFalse(kept.get().deliver("late"));
  }
}
