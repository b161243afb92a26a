package dev.rondo.examples.classic;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.ReadWriteLock;
import dev.rondo.scheduler.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Consumer;

/// Many readers of a page, and a few writers that change it in steps, with pauses (P. J. Courtois
/// and others, *Concurrent Control with Readers and Writers*, 1971). Readers share the page, a
/// writer has it alone, and no task waits for ever.
public final class ReadersWriters {

  private static final Duration STEP = Duration.ofMillis(10);
  private static final int READERS = 4;
  private static final int WRITERS = 2;
  private static final int ROUNDS = 3;

  private final Application app;
  private final Consumer<String> log;
  private final ReadWriteLock lock;

  // The two halves are equal except while a writer is at work.
  private int firstHalf;
  private int secondHalf;

  private ReadersWriters(Application app, Consumer<String> log) {
    this.app = app;
    this.log = log;
    lock = new ReadWriteLock(app.scheduler(), "page");
  }

  static void main() {
    Application.run(app -> work(app, IO::println));
  }

  /// Each reader reads, and each writer writes, a few times.
  static void work(Application app, Consumer<String> log) {
    var page = new ReadersWriters(app, log);
    var all = new ArrayList<Task<Void>>();
    for (int i = 1; i <= READERS; i++) {
      String name = "reader " + i;
      all.add(app.spawn(name, () -> page.readOften(name)));
    }
    for (int i = 1; i <= WRITERS; i++) {
      String name = "writer " + i;
      all.add(app.spawn(name, () -> page.writeOften(name)));
    }
    all.forEach(Task::join);
  }

  private void readOften(String name) {
    for (int i = 0; i < ROUNDS; i++) {
      try (var _ = lock.readLock().lock()) {
        read(name);
      }
    }
  }

  private void writeOften(String name) {
    for (int i = 0; i < ROUNDS; i++) {
      try (var _ = lock.writeLock().lock()) {
        firstHalf++;
        app.sleep(STEP);
        secondHalf++;
        try (var _ = lock.downgrade()) {
          read(name); // its own text: no other writer came between
        }
      }
    }
  }

  private void read(String name) {
    int seen = firstHalf;
    app.sleep(STEP);
    log.accept(name + " sees " + seen + (seen == secondHalf ? "" : ", torn"));
  }
}
