package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReadWriteLockTest extends OnEveryBackend {

  private ReadWriteLock lock;

  @BeforeEach
  void makeLock() {
    lock = new ReadWriteLock(scheduler, "rw");
  }

  private Task<Void> user(String name) {
    return scheduler.spawn(
        name,
        () -> {
          try (var _ = (name.startsWith("r") ? lock.readLock() : lock.writeLock()).lock()) {
            log(name);
            time.sleep(ms(10));
          }
        });
  }

  private static String message(Runnable code) {
    return assertThrows(IllegalStateException.class, code::run).getMessage();
  }

  @Test
  void lock_readersAndWriters_inOrderAndReadersTogether() {
    for (String name : List.of("r1", "r2", "w1", "r3", "r4", "w2", "w3", "r5")) {
      user(name);
    }
    settle();
    assertEquals(2, lock.readers());
    assertEquals(6, lock.waiterCount());
    scheduler.start();
    assertEquals(
        List.of("r1@0", "r2@0", "w1@10", "r3@20", "r4@20", "w2@30", "w3@40", "r5@50"), log);
    assertEquals(0, lock.readers());
  }

  @Test
  void lock_writerWaits_laterReadersDoNotOvertakeIt() {
    user("r1");
    user("w");
    settle();
    run(() -> assertNull(lock.readLock().tryLock(), "overtook the writer"));
    assertEquals(List.of("r1@0", "w@10"), log);
  }

  @Test
  void lock_writerInFrontGivesUp_readersBehindItGoOnAtOnce() {
    user("r1");
    Task<?> writer =
        scheduler.spawn(() ->
            assertThrows(TimedOutException.class, () -> scheduler.await(lock.writeLock(), ms(3))));
    user("r2");
    user("w2");
    user("r3");
    scheduler.start();
    writer.join();
    assertEquals(List.of("r1@0", "r2@3", "w2@13", "r3@23"), log);
  }

  @Test
  void lock_writerInFrontIsCancelled_readersBehindItGoOn() {
    user("r1");
    Task<Void> writer = user("w");
    user("r2");
    settle();
    writer.cancel("test");
    assertEquals(2, lock.readers());
    scheduler.start();
    assertEquals(List.of("r1@0", "r2@0"), log);
  }

  @Test
  void tryLock_anyState() {
    run(() -> {
      try (var write = lock.writeLock().tryLock()) {
        assertNotNull(write);
        assertTrue(lock.writeLock().isLocked());
        assertFalse(lock.readLock().isLocked());
        assertTrue(lock.writeLock().isHeldByMe());
        assertFalse(lock.readLock().isHeldByMe());
      }
      try (var read = lock.readLock().tryLock()) {
        assertNotNull(read);
        scheduler
            .spawn(() -> {
              assertNull(lock.writeLock().tryLock());
              try (var second = lock.readLock().tryLock()) {
                assertNotNull(second);
                assertEquals(2, lock.readers());
              }
            })
            .join();
      }
      assertFalse(lock.readLock().isLocked());
    });
  }

  @Test
  void unlock_oneOfTwoReaders_writerGoesOnAfterTheSecond() {
    run(() -> {
      LockGuard mine = lock.readLock().lock();
      Task<Void> other = user("r");
      Task<Void> writer = user("w");
      time.sleep(ms(1));
      lock.readLock().unlock();
      assertFalse(mine.holder() != null);
      time.sleep(ms(1));
      assertEquals(List.of("r@0"), log);
      other.join();
      assertSame(writer, lock.writeLock().holder());
    });
    assertEquals(List.of("r@0", "w@10"), log);
  }

  @Test
  void downgrade_writer_isReaderAndNoWriterGetsInBetween() {
    run(() -> {
      try (var write = lock.writeLock().lock()) {
        user("r1");
        user("w1");
        user("r2");
        scheduler.yield();
        try (var read = lock.downgrade()) {
          assertNull(write.holder());
          assertTrue(lock.readLock().isHeldByMe());
          assertFalse(lock.writeLock().isLocked());
          assertEquals(2, lock.readers()); // r1 waited in front of w1, and holds it too
          assertSame(lock.readLock(), read.lock());
          time.sleep(ms(15));
        }
      }
    });
    assertEquals(List.of("r1@0", "w1@15", "r2@25"), log);
  }

  @Test
  void downgrade_withoutTheWriteSide_namesTheHolder() {
    run(() -> {
      assertEquals(
          "downgrade() without holding write lock 'rw': it is not locked",
          message(lock::downgrade));
      try (var _ = lock.readLock().lock()) {
        assertEquals(
            "downgrade() without holding write lock 'rw': task 'main' holds the read lock",
            message(lock::downgrade));
      }
    });
  }

  @Test
  void lock_hasASideAlready_saysWhatToDo() {
    run(() -> {
      try (var _ = lock.readLock().lock()) {
        assertEquals(
            "task 'main' locks read lock 'rw', but holds the read lock already: it is not"
                + " reentrant",
            message(lock.readLock()::lock));
        assertEquals(
            "task 'main' locks write lock 'rw', but holds the read lock already: unlock it first,"
                + " because another writer may be waiting for that as well",
            message(lock.writeLock()::tryLock));
      }
      try (var _ = lock.writeLock().lock()) {
        assertEquals(
            "task 'main' locks write lock 'rw', but holds the write lock already: it is not"
                + " reentrant",
            message(lock.writeLock()::lock));
        assertEquals(
            "task 'main' locks read lock 'rw', but holds the write lock already: use downgrade()",
            message(lock.readLock()::lock));
      }
    });
  }

  @Test
  void unlock_anothers_namesTheHolder() {
    user("r1");
    settle();
    run(() -> {
      assertEquals(
          "task 'main' unlocks write lock 'rw', which it does not hold: task 'r1' holds the read"
              + " lock",
          message(lock.writeLock()::unlock));
      try (var _ = lock.readLock().lock()) {
        scheduler
            .spawn(
                "third",
                () ->
                    assertEquals(
                        "task 'third' unlocks read lock 'rw', which it does not hold: 2 tasks hold"
                            + " the read lock",
                        message(lock.readLock()::unlock)))
            .join();
      }
      try (var _ = lock.writeLock().lock()) {
        scheduler
            .spawn(
                "third",
                () ->
                    assertEquals(
                        "task 'third' unlocks read lock 'rw', which it does not hold: task 'main'"
                            + " holds the write lock",
                        message(lock.readLock()::unlock)))
            .join();
      }
    });
  }

  @Test
  void end_readerHasNotUnlocked_isReportedAndUnlocked() {
    scheduler.spawn(
        "forgetful",
        () -> {
          lock.readLock().lock();
          time.sleep(ms(5));
        });
    user("w");
    scheduler.start();
    assertEquals(List.of("w@5"), log);
    String thrown = takeFailures().getFirst().getMessage();
    assertTrue(thrown.contains("read lock 'rw' was abandoned: task 'forgetful'"), thrown);
  }

  @Test
  void end_writerHasNotUnlocked_isReportedAndBothSidesAreAbandoned() {
    scheduler.spawn(
        "forgetful",
        () -> {
          lock.writeLock().lock();
          time.sleep(ms(5));
        });
    for (Lock side : List.of(lock.readLock(), lock.writeLock(), lock.readLock())) {
      scheduler.spawn(() -> {
        assertThrows(AbandonedException.class, side::lock);
        log("failed");
      });
    }
    scheduler.start();
    assertEquals(List.of("failed@5", "failed@5", "failed@5"), log);
    assertEquals(1, takeFailures().size());
    run(() -> assertThrows(AbandonedException.class, lock.readLock()::tryLock));
  }

  @Test
  void toString_lockAndSides() {
    assertEquals("read-write lock 'rw'", lock.toString());
    assertEquals("read lock 'rw'", lock.readLock().toString());
    assertEquals("write lock 'rw'", lock.writeLock().toString());
    assertNull(lock.readLock().holder());
  }
}
