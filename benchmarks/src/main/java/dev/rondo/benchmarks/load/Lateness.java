package dev.rondo.benchmarks.load;

import dev.rondo.benchmarks.CoroutinePeers;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// A hundred thousand tasks sleep for whole milliseconds, at random from one to three seconds: the
/// lateness of each wake. There are three rounds; the first is the cold start.
///
/// The start of all tasks takes up to a second, and no task wakes before that, so no other work
/// happens while they wake. The lateness consists of the operating system's wake-up of the thread
/// and of the turns of tasks that are due in the same millisecond, in the order of their deadlines.
/// Most of the wake-up is the 50 us that Linux may add in order to wake several threads at once.
/// `rondoNoSlack` forbids that, see [WaitForTime#timerSlack].
public final class Lateness {

  private static final int SLEEPERS = 100_000;
  private static final int ROUNDS = 3;
  private static final int FIRST_MILLIS = 1_000;
  private static final int SPREAD_MILLIS = 2_000;
  private static final long NANOS_OF_MILLI = 1_000_000;

  private Lateness() {}

  static void main(String[] args) throws InterruptedException {
    for (int round = 1; round <= ROUNDS; round++) {
      int[] millis =
          new Random(round).ints(SLEEPERS, FIRST_MILLIS, FIRST_MILLIS + SPREAD_MILLIS).toArray();
      long[] late =
          switch (args[0]) {
            case "rondo" -> rondo(CoroutineBackends.continuation(), time -> {}, millis);
            case "rondoNoSlack" ->
                rondo(
                    CoroutineBackends.continuation(),
                    time -> time.timerSlack(Duration.ZERO),
                    millis);
            case "rondoBound" -> rondo(CoroutineBackends.bound(), time -> {}, millis);
            case "kotlinx" -> CoroutinePeers.lateness(millis);
            case "virtualThreads" -> virtualThreads(millis);
            default -> throw new IllegalArgumentException("unknown subject: " + args[0]);
          };
      Arrays.sort(late);
      String params = round == 1 ? "cold" : "steady";
      Sample.print("lateness", params, args[0], "p50 us", percentile(late, 50));
      Sample.print("lateness", params, args[0], "p99 us", percentile(late, 99));
      Sample.print("lateness", params, args[0], "most us", percentile(late, 100));
    }
  }

  private static double percentile(long[] sorted, int percent) {
    return sorted[(int) ((sorted.length - 1L) * percent / 100)] / 1e3;
  }

  private static long[] rondo(
      CoroutineBackend backend, Consumer<WaitForTime> settings, int[] millis) {
    var late = new long[millis.length];
    try (var scheduler = Scheduler.builder().backend(backend).build()) {
      WaitForTime time = WaitForTime.on(scheduler);
      settings.accept(time);
      for (int i = 0; i < millis.length; i++) {
        int n = i;
        scheduler.spawn(() -> {
          long deadline = System.nanoTime() + millis[n] * NANOS_OF_MILLI;
          time.sleep(Duration.ofMillis(millis[n]));
          late[n] = System.nanoTime() - deadline;
        });
      }
      scheduler.start();
    }
    return late;
  }

  private static long[] virtualThreads(int[] millis) throws InterruptedException {
    var late = new long[millis.length];
    var done = new CountDownLatch(millis.length);
    for (int i = 0; i < millis.length; i++) {
      int n = i;
      Thread.startVirtualThread(() -> {
        long deadline = System.nanoTime() + millis[n] * NANOS_OF_MILLI;
        try {
          Thread.sleep(Duration.ofMillis(millis[n]));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt(); // does not happen
        }
        late[n] = System.nanoTime() - deadline;
        done.countDown();
      });
    }
    done.await();
    return late;
  }
}
