package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// The system refuses the thread that would notice lost sockets.
class LeakWatchTest {

  private final List<Thread> threads = new ArrayList<>();
  private boolean outOfThreads = true;

  private Thread made(Runnable body) {
    if (outOfThreads) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    Thread made = Thread.ofPlatform().daemon().unstarted(body);
    threads.add(made);
    return made;
  }

  @Test
  void watch_withoutAThread_theProgramClosesItAndTheNextIsWatchedAgain() throws Exception {
    var failures = new ArrayList<String>();
    var closed = new ArrayList<String>();
    try (var scheduler =
        Scheduler.builder()
            .failureHandler((where, failure) -> failures.add(failure.getMessage()))
            .build()) {
      var watch =
          new LeakWatch(scheduler, SelectorProvider.provider(), new LostSockets(this::made));
      var first = watch.watch(new Object(), "first", () -> closed.add("first"));
      assertFalse(first.enqueue()); // as the collector does; it knows of no queue
      first.close();
      assertEquals(List.of("first"), closed);

      outOfThreads = false;
      var noticed = new CompletableFuture<Boolean>();
      var second = watch.watch(new Object(), "second", () -> noticed.complete(true));
      scheduler.spawn(() -> scheduler.await(scheduler.completion(noticed)));
      assertTrue(second.enqueue());
      scheduler.start();
      assertEquals(1, failures.size());
      assertTrue(failures.getFirst().startsWith("second was not closed"), failures::toString);
      watch.close();
    }
    assertEquals(1, threads.size());
    threads.getFirst().join();
  }
}
