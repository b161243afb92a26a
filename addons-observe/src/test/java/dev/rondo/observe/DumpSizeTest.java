package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.Nightly;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A dump of very many tasks needs little memory.
@Timeout(value = 1, unit = TimeUnit.HOURS) // SchedulerTest has less patience, unless told otherwise
@BackendsDiffer
@Nightly("100,000 tasks")
class DumpSizeTest extends SchedulerTest {

  private static final int TASKS = 100_000;

  /// On backends with a thread for each task, where making tasks takes far longer.
  private static final int TASKS_WITH_THREADS = 20_000;

  /// How often the heap is measured.
  private static final int MEASURES = 4;

  /// How much the heap may grow during a dump, which is several times as long.
  private static final long MOST_BYTES = 4L << 20;

  /// Counts the text, and measures the heap now and then.
  private static final class Counting implements Appendable {

    private static final int BYTES_PER_TASK = 700;

    private final long step;

    private long written;
    private long tasks;
    private long mostUsed;

    Counting(int tasks) {
      step = (long) tasks * BYTES_PER_TASK / MEASURES;
    }

    @Override
    public Appendable append(CharSequence text) throws IOException {
      return append(text, 0, text.length());
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
      tasks += text.toString().equals("sinceNanos") ? 1 : 0;
      if (written / step != (written + end - start) / step) {
        mostUsed = Math.max(mostUsed, used());
      }
      written += end - start;
      return this;
    }

    @Override
    public Appendable append(char c) {
      written++;
      return this;
    }
  }

  /// The bytes that a collection has left. What other threads allocate behind it does not count.
  private static long used() {
    System.gc();
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  @Test
  void dump_hundredThousandTasks_fromAnotherThread_holdsFewAtATime()
      throws IOException, InterruptedException, ExecutionException {
    int count = backend.name().equals("CONTINUATION") ? TASKS : TASKS_WITH_THREADS;
    List<Task<?>> tasks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      tasks.add(scheduler.spawn(() -> scheduler.suspend()));
    }
    scheduler.run(null);
    var out = new Counting(count);
    var done =
        new FutureTask<Void>(() -> {
          try {
            Loops.dump(scheduler, DumpFormat.JSON, out, Duration.ofMinutes(5));
          } finally {
            scheduler.stop();
          }
          return null;
        });
    long before = used();
    try (var _ = scheduler.keepAlive()) {
      Thread.ofPlatform().daemon().start(done);
      scheduler.start();
    }
    done.get();
    assertEquals(count + 1, out.tasks);
    assertTrue(out.written > 2 * MOST_BYTES, "too short to tell: " + out.written);
    assertTrue(
        out.mostUsed - before < MOST_BYTES,
        "the heap grew by %,d bytes for %,d bytes of dump"
            .formatted(out.mostUsed - before, out.written));
    for (Task<?> each : tasks) {
      scheduler.scheduleTask(each);
    }
    scheduler.start();
  }
}
