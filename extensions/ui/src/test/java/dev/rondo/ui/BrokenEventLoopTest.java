package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.condition.sync.Promise;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Tests of applications whose event loop breaks.
final class BrokenEventLoopTest extends UiRig {

  private static final Duration MILLI = Duration.ofMillis(1);

  private final AtomicReference<Application> running = new AtomicReference<>();

  /// An application that is abandoned counts as running on its thread for ever, and as open: other
  /// tests that look at all loops must not find it.
  private static final class Abandoned extends UiRig {

    @Override
    ApplicationBuilder builder() {
      return super.builder().bare();
    }
  }

  private static void onAThreadOfItsOwn(Consumer<UiRig> test) throws Exception {
    var done = new FutureTask<>(() -> test.accept(new Abandoned()), true);
    new Thread(done).start();
    assertTrue(done.get());
  }

  @Test
  void eventLoop_endsWhileTheApplicationIdles_endsItWithAFailure() throws Exception {
    onAThreadOfItsOwn(rig -> {
      var end = rig.start(app -> app.sleep(MILLI));
      rig.loop.run();
      rig.loop.end();
      rig.poller().elapse();
      assertTrue(failureOf(end).getMessage().contains("no more events"), end::toString);
      assertTrue(rig.poller().isAbandoned());
    });
  }

  @Test
  void eventLoop_endsInASlice_endsItWithAFailure() throws Exception {
    onAThreadOfItsOwn(rig -> {
      var end =
          rig.start(app -> {
            rig.loop.end();
            rig.clock.advance(Duration.ofSeconds(1));
            app.yield();
          });
      rig.loop.run();
      assertTrue(failureOf(end).getMessage().contains("no more events"), end::toString);
    });
  }

  @Test
  void eventLoop_runsAnEventTwice_failsThere() {
    var end = start(app -> app.sleep(MILLI));
    loop.run();
    var twice = new AtomicReference<Runnable>();
    var spy =
        new EventLoop() {
          @Override
          public void post(Runnable event) {
            twice.set(event);
            loop.post(event);
          }

          @Override
          public boolean isUiThread() {
            return loop.isUiThread();
          }
        };
    runToEnd(end);
    var second =
        new UiHost(spy, (scheduler, run) -> new FakePoller(scheduler, run))
            .application(builder())
            .start(app -> {
              running.set(app);
              app.await(new Promise<>(app.scheduler(), "never"));
            });
    loop.run();
    running.get().execute(() -> {});
    Runnable event = twice.get();
    loop.run();
    var e = assertThrows(IllegalStateException.class, event::run);
    assertTrue(e.getMessage().contains("once"), e::getMessage);
    running.get().stop();
    loop.run();
    assertTrue(second.isDone());
  }
}
