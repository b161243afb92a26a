package dev.rondo.examples.system;

import dev.rondo.application.AcceptSharing;
import dev.rondo.application.Application;
import dev.rondo.application.ExitCode;
import dev.rondo.application.LoopGroup;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The view of an operator: jobs of a library that run as tasks, the last events, a loop that
/// restarts after a failure, and an exit code.
final class Operator {

  private static final int OVER = 3;
  private static final int LAST_EVENTS = 1_000;
  private static final Duration DAY = Duration.ofDays(1);

  private Operator() {}

  static void main() {
    jobs(IO::println);
    loops(IO::println);
    Application.runAndExit(app -> app.exit(ExitCode.SUCCESS)); // for the script that began it
  }

  /// A library takes an executor service; its jobs may suspend.
  static void jobs(Consumer<String> out) {
    Application.builder()
        .recorder(LAST_EVENTS)
        .run(app -> {
          ExecutorService executor = app.newExecutorService();
          Future<String> job =
              executor.submit(() -> {
                app.sleep(Duration.ofMillis(1));
                return "a job slept";
              });
          String answer = app.await(app.scheduler().completion(job));
          out.accept(answer);
          executor.shutdown(); // until then the application runs
          out.accept("time is installed: " + (app.addOn(WaitForTime.class) != null));
          out.accept("there are last events: " + !app.recording().events().isEmpty());
        });
  }

  /// One of two loops fails, and restarts.
  static void loops(Consumer<String> out) {
    var failure = new CompletableFuture<String>();
    var broken = new AtomicBoolean();
    var again = new CompletableFuture<Integer>();
    LoopGroup group =
        Application.builder()
            .failureHandler((where, cause) -> failure.complete(where + ": " + cause.getMessage()))
            .loops("server", 2)
            .accept(AcceptSharing.DEALT)
            .restartFailed(1, DAY);
    try (group) {
      group.start(loop -> {
        Application app = loop.app();
        if (loop.index() == 1 && broken.compareAndSet(false, true)) {
          throw new IllegalStateException("broken");
        }
        if (loop.index() == 1) {
          again.complete(loop.index());
        }
        app.await(app.shutdownRequested());
      });
      out.accept(failure.join());
      out.accept("it is there again: loop " + again.join());
      out.accept("the other one: " + group.spawnOn(0, "name", Operator::name).join());
      out.accept("both are in the dump: " + group.dump().contains("server-1: \n"));
      group.exit(OVER);
    }
    out.accept("exit code " + group.exitCode());
  }

  private static String name(LoopGroup.Member loop) {
    return "%s of %s".formatted(loop.name(), loop.group());
  }
}
