package dev.rondo.condition.sync;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A lock for any number of readers or one writer. Each side is a [Lock].
///
/// Readers and writers wait in one queue. A waiting writer holds up the readers that come after it,
/// so readers cannot starve a writer. When a writer unlocks, all readers up to the next writer
/// enter together. A writer may become a reader without letting another writer in between, see
/// [#downgrade()]. A reader that locks the write side would wait for itself, so the attempt fails
/// at once.
///
/// Confined to the scheduler's thread.
public final class ReadWriteLock {

  private final Scheduler scheduler;
  private final String name;
  private final Side readSide;
  private final Side writeSide;
  private final Map<Task<?>, LockOwnership> readers = new HashMap<>();
  private final LockOwnership writing;
  private @Nullable String abandonedBy;

  /// Makes an unlocked read-write lock. Never a suspension point.
  ///
  /// @param scheduler whose tasks lock it
  /// @param name shown in reports
  public ReadWriteLock(Scheduler scheduler, String name) {
    var waiters = new WaitQueue<LockGuard>();
    this.scheduler = scheduler;
    this.name = name;
    readSide = new Side("read lock", waiters, false);
    writeSide = new Side("write lock", waiters, true);
    writing = new LockOwnership(writeSide);
  }

  /// {@return the side that several tasks can hold at a time}
  public Lock readLock() {
    return readSide;
  }

  /// {@return the side that one task can hold, while no other holds either side}
  public Lock writeLock() {
    return writeSide;
  }

  /// Turns the writer into a reader: the current task unlocks the write side and holds the read
  /// side, as do the readers at the front of the queue. The guard of the write side counts as
  /// closed. Never a suspension point.
  ///
  /// @return the held read side, to be closed
  /// @throws IllegalStateException if the current task does not hold the write side
  public LockGuard downgrade() {
    scheduler.host().checkThread();
    Task<?> task = scheduler.currentTask();
    if (task == null || writing.holder() != task) {
      throw new IllegalStateException(
          "downgrade() without holding %s: %s".formatted(writeSide, holders()));
    }
    writing.drop();
    LockOwnership reading = readSide.enter(task);
    readSide.handOver();
    return new LockGuard(reading);
  }

  /// {@return the number of tasks that wait for either side}
  int waiterCount() {
    return readSide.waiterCount();
  }

  /// How many tasks hold the read side.
  int readers() {
    scheduler.host().checkThread();
    return readers.size();
  }

  private @Nullable Task<?> holder() {
    Task<?> writer = writing.holder();
    if (writer != null) {
      return writer;
    }
    return readers.size() == 1 ? readers.keySet().iterator().next() : null;
  }

  private String holders() {
    Task<?> writer = writing.holder();
    if (writer != null) {
      return "task '" + writer.name() + "' holds the write lock";
    }
    return switch (readers.size()) {
      case 0 -> "it is not locked";
      case 1 -> "task '" + readers.keySet().iterator().next().name() + "' holds the read lock";
      default -> readers.size() + " tasks hold the read lock";
    };
  }

  @Override
  public String toString() {
    return "read-write lock '" + name + "'";
  }

  /// One side.
  final class Side extends Lock {

    private final boolean writes;

    private Side(String kind, WaitQueue<LockGuard> waiters, boolean writes) {
      super(ReadWriteLock.this.scheduler, kind, ReadWriteLock.this.name, waiters);
      this.writes = writes;
    }

    @Override
    public boolean isLocked() {
      scheduler.host().checkThread();
      return writes ? writing.holder() != null : !readers.isEmpty();
    }

    @Override
    public @Nullable Task<?> holder() {
      return ReadWriteLock.this.holder();
    }

    @Override
    boolean isFree() {
      return writing.holder() == null && (!writes || readers.isEmpty());
    }

    @Override
    LockOwnership enter(Task<?> task) {
      LockOwnership ownership = writes ? writing : new LockOwnership(this);
      ownership.takenBy(task);
      if (!writes) {
        readers.put(task, ownership);
      }
      return ownership;
    }

    @Override
    void left(Task<?> task) {
      if (!writes) {
        readers.remove(task);
      }
    }

    @Override
    boolean isExclusive() {
      return writes;
    }

    @Override
    @Nullable LockOwnership heldBy(Task<?> task) {
      if (writes) {
        return writing.holder() == task ? writing : null;
      }
      return readers.get(task);
    }

    @Override
    String holders() {
      return ReadWriteLock.this.holders();
    }

    @Override
    void checkMayWait(Task<?> task) {
      boolean hasWrite = writeSide.heldBy(task) != null;
      if (!hasWrite && readSide.heldBy(task) == null) {
        return;
      }
      String fix =
          hasWrite == writes
              ? "it is not reentrant"
              : hasWrite
                  ? "use downgrade()"
                  : "unlock it first, because another writer may be waiting for that as well";
      throw new IllegalStateException(
          "task '%s' locks %s, but holds the %s lock already: %s"
              .formatted(task.name(), this, hasWrite ? "write" : "read", fix));
    }

    @Override
    @Nullable String abandonedBy() {
      return abandonedBy;
    }

    @Override
    void abandonedBy(String task) {
      abandonedBy = task;
    }
  }
}
