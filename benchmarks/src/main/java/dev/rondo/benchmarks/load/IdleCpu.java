package dev.rondo.benchmarks.load;

import dev.rondo.application.Application;
import dev.rondo.benchmarks.Blocking;
import dev.rondo.benchmarks.CoroutinePeers;
import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/// The processor time of a process in which a thousand tasks sleep. Most of it is the virtual
/// machine's own housekeeping, as `bare` shows, whose main thread only sleeps. No task runs
/// meanwhile, so the backend does not matter.
public final class IdleCpu {

  private static final int SLEEPERS = 1_000;
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Duration WATCHED = Duration.ofSeconds(4);
  private static final Duration NIGHT = Duration.ofMinutes(1);

  private IdleCpu() {}

  static void main(String[] args) throws InterruptedException {
    Thread watch = Thread.ofPlatform().daemon().start(() -> watch(args[0]));
    switch (args[0]) {
      case "bare" -> {}
      case "rondo" -> Thread.ofPlatform().daemon().start(IdleCpu::rondo);
      case "kotlinx" ->
          Thread.ofPlatform()
              .daemon()
              .start(() -> CoroutinePeers.sleep(SLEEPERS, NIGHT.toMillis()));
      case "virtualThreads" -> {
        for (int i = 0; i < SLEEPERS; i++) {
          Blocking.start(1, () -> Thread.sleep(NIGHT));
        }
      }
      default -> throw new IllegalArgumentException("unknown subject: " + args[0]);
    }
    watch.join();
    Runtime.getRuntime().halt(0); // without waiting for the sleepers
  }

  private static void rondo() {
    Application.run(app -> {
      for (int i = 0; i < SLEEPERS; i++) {
        app.spawn("sleeper", () -> app.sleep(NIGHT));
      }
      app.sleep(NIGHT);
    });
  }

  private static void watch(String who) {
    try {
      Thread.sleep(SETTLE); // the compilers have finished
      SchedStat threadsBefore = SchedStat.of(ProcessHandle.current());
      long before = System.nanoTime();
      Thread.sleep(WATCHED);
      long ran = SchedStat.of(ProcessHandle.current()).ranNanosSince(threadsBefore);
      double share = (double) ran / (System.nanoTime() - before);
      Sample.print("idle", "tasks=" + SLEEPERS, who, "% of a core", 100 * share);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // does not happen
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
