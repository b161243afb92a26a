package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/// The JVM ends beside a user interface that has ended, in a child JVM.
final class EndOfTheJvmTest {

  /// The program of the child JVM. Its event loop takes no more events when the last one is posted.
  static final class Program {

    private Program() {}

    public static void main(String[] args) throws InterruptedException {
      var events = new LinkedBlockingQueue<Runnable>();
      var loop =
          new EventLoop() {
            private final Thread uiThread = Thread.currentThread();
            private boolean ended;

            @Override
            public void post(Runnable event) {
              if (ended) {
                throw new IllegalStateException("ended");
              }
              events.add(event);
            }

            @Override
            public boolean isUiThread() {
              return Thread.currentThread() == uiThread;
            }

            @Override
            public void hold() {}

            @Override
            public void release() {}
          };
      var end =
          UiHost.on(loop)
              .application(Application.builder().shutdownLimits(Duration.ZERO, Duration.ofHours(1)))
              .slice(Duration.ofNanos(1))
              .start(app -> {
                loop.ended = true;
                app.yield();
                app.sleep(Duration.ofDays(1));
              });
      end.whenComplete((code, failure) -> Thread.ofPlatform().start(() -> System.exit(3)));
      while (true) {
        events.take().run();
      }
    }
  }

  @Test
  void exit_whileTheApplicationIsGivenUp_doesNotTakeItsGrace() throws Exception {
    Process process =
        new ProcessBuilder(
                ChildJvm.command(Program.class, List.of("-Drondo.backend=continuation"), "unused"))
            .redirectErrorStream(true)
            .start();
    try (var output = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = output.lines().toList();
      assertEquals(3, process.waitFor(), lines::toString);
    }
  }
}
