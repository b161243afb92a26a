package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Promise;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Tests of modal dialogs: their nested event loops, and the tasks that wait for them.
class DialogTest extends UiRig {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /// A modal dialog of a toolkit.
  private final class Modal {
    private final String name;
    private String answer = "none";
    private boolean open;
    private int opened;

    Modal(String name) {
      this.name = name;
    }

    String show() {
      assertTrue(loop.isUiThread());
      open = true;
      opened++;
      trace.add(name + "-opens");
      loop.runUntil(() -> !open);
      trace.add(name + "-closes");
      return answer;
    }

    /// The user's answer.
    void press(String button) {
      answer = button;
      open = false;
    }

    void close() {
      open = false;
    }

    Waitable<String> asked() {
      return UiHost.dialog(this::show, this::close);
    }
  }

  private void note(String event) {
    trace.add(event);
  }

  private final Modal modal = new Modal("a");

  @Test
  void await_tasksGoOnMeanwhile_getsTheAnswer() {
    var end =
        start(app -> {
          app.spawn(() -> {
            for (int i = 0; i < 3; i++) {
              trace.add("work" + i);
              clock.advance(SECOND); // one slice for each
              app.yield();
            }
            loop.post(() -> modal.press("yes"));
          });
          trace.add(app.await(modal.asked()));
        });
    loop.run();
    assertTrue(end.isDone());
    assertTrace("work0 a-opens work1 work2 a-closes yes");
  }

  @Test
  void await_opensUnderNoTask() {
    var end =
        start(app -> {
          boolean under = app.await(UiHost.dialog(() -> !app.scheduler().inMainTask(), () -> {}));
          assertFalse(under);
        });
    loop.run();
    assertTrue(end.isDone());
    end.join();
  }

  @Test
  void await_timeout_closesIt() {
    var end =
        start(app -> {
          assertThrows(TimedOutException.class, () -> app.await(modal.asked(), SECOND));
          trace.add("too-late");
        });
    // the nested loop is idle until the clock moves
    loop.post(() -> {});
    loop.runOne();
    loop.runOne();
    loop.post(() -> poller().elapse());
    loop.run();
    assertTrue(end.isDone());
    end.join();
    assertTrace("a-opens too-late a-closes");
  }

  @Test
  void await_cancelledBeforeItOpens_doesNotOpenIt() {
    var end =
        start(app -> {
          Task<Void> asking = app.spawn(() -> note(app.await(modal.asked())));
          app.yield();
          assertTrue(asking.cancel("changed my mind"));
        });
    loop.run();
    assertTrue(end.isDone());
    assertEquals(0, modal.opened);
  }

  @Test
  void await_otherBranchWins_closesItAndDropsItsAnswer() {
    var end =
        start(app -> {
          var promise = new Promise<String>(app.scheduler(), "other");
          loop.post(() -> {
            boolean _ = promise.fulfill("other");
          });
          trace.add(app.select(modal.asked(), promise).value());
        });
    loop.run();
    assertTrue(end.isDone());
    trace.removeIf(event -> event.startsWith("a-"));
    assertTrace("other");
    assertFalse(modal.open);
  }

  @Test
  void await_twiceOneAfterTheOther_opensItTwice() {
    var end =
        start(app -> {
          Waitable<String> asked = modal.asked();
          for (int i = 0; i < 2; i++) {
            app.spawn(() -> {
              app.yield();
              app.yield();
              loop.post(() -> modal.press("ok"));
            });
            trace.add(app.await(asked));
          }
        });
    loop.run();
    assertTrue(end.isDone());
    assertTrace("a-opens a-closes ok a-opens a-closes ok");
  }

  @Test
  void await_openFails_isTheFailure() {
    var end =
        start(app -> {
          Waitable<String> broken =
              UiHost.dialog(
                  () -> {
                    throw new IOException("no such picture");
                  },
                  () -> {});
          trace.add(assertThrows(IOException.class, () -> app.await(broken)).getMessage());
        });
    loop.run();
    end.join();
    assertTrace("no such picture");
  }

  @Test
  void twoAtATime_theLowerReturnsWhenTheUpperHas() {
    var upper = new Modal("b");
    var end =
        start(app -> {
          app.spawn(() -> note("a=" + app.await(modal.asked())));
          app.spawn(() -> note("b=" + app.await(upper.asked())));
          app.spawn(() -> {
            for (int i = 0; i < 5; i++) {
              clock.advance(SECOND);
              app.yield();
            }
            loop.post(() -> modal.press("1"));
            loop.post(() -> upper.press("2"));
          });
        });
    loop.run();
    end.join();
    assertTrace("a-opens b-opens b-closes a-closes b=2 a=1");
  }

  @Test
  void stop_whileOpen_closesIt() {
    var end =
        start(app -> {
          app.spawn(() -> note(app.await(modal.asked())));
          app.yield();
          loop.post(app::stop);
        });
    loop.run();
    assertTrue(end.isDone());
    assertTrace("a-opens a-closes");
  }

  @Test
  void await_outsideOfAUi_saysHow() {
    var e =
        assertThrows(
            IllegalStateException.class,
            () -> Application.run(app -> trace.add(app.await(modal.asked()))));
    assertTrue(e.getMessage().contains("UiHost"), e::getMessage);
  }
}
