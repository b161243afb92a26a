package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tasks that are ready and not made yet. Tasks that were scheduled directly one after another
/// share one entry of the ready queue.
///
/// A task is made with its number and in its place, see [#makeFirst]. A task that has its turn
/// stays the first of the chain until the turn is over or the task is made.
///
/// Confined to the scheduler's thread, except where a method says otherwise. Reusable, see
/// [LazyKind].
final class LazyChain implements ReadyQueue.Entry, Supplier<@Nullable Task<?>> {

  private static final int FIRST_CAPACITY = 8;

  /// Marks the place of a task that was taken back. A gap is never at the first place.
  private static final Object GAP = new Object();

  private final LazyKind kind;
  private final Loop loop;

  /// The slot of this chain in the ready queue, while it has one. Set by [LazyKind].
  int slot;

  /// The number of the task that has scheduled these tasks; 0 if no task has.
  private long parentId;

  /// The number of the first task; the numbers of the others follow.
  private long firstId;

  /// A ring. Its length is a power of two.
  private Object[] subjects = new Object[FIRST_CAPACITY];

  private int first;

  /// The number of places in use, including gaps.
  private int length;

  /// The number of tasks.
  private int size;

  LazyChain(LazyKind kind) {
    this.kind = kind;
    this.loop = kind.loop;
  }

  /// Begins to use this chain, which must be empty.
  void begin(long id, long parent) {
    assert length == 0 && size == 0 : this;
    parentId = parent;
    firstId = id;
  }

  /// Whether a task of this kind, with this number and this parent, can be added at the end.
  boolean takes(LazyKind of, long id, long parent) {
    return kind == of && parentId == parent && firstId + length == id;
  }

  void add(Object subject) {
    if (length == subjects.length) {
      grow();
    }
    subjects[(first + length) & (subjects.length - 1)] = subject;
    length++;
    size++;
  }

  private void grow() {
    var larger = new Object[length * 2];
    int tail = length - first;
    System.arraycopy(subjects, first, larger, 0, tail);
    System.arraycopy(subjects, 0, larger, tail, first);
    subjects = larger;
    first = 0;
  }

  @Override
  public int readyCount() {
    return size;
  }

  @Override
  public long id() {
    return firstId;
  }

  /// Gives the first task its turn, and gives turns to the tasks behind it that can follow at once.
  @Override
  public @Nullable TaskCore<?> turn(ReadyQueue queue) {
    turnBegins();
    TaskCore<?> had = kind.turn(this);
    if (had == null) {
      firstHasEnded();
    } else {
      loop.endTurn(had);
    }
    return had;
  }

  private void turnBegins() {
    Rooms.TurnHooks hooks = loop.hooks;
    if (hooks != null) {
      hooks.lazyTurnBegins(this);
    }
  }

  /// Called when the first task has ended in its turn without being made.
  private void firstHasEnded() {
    loop.endTurn();
    Rooms.TurnHooks hooks = loop.hooks;
    if (hooks != null) {
      hooks.lazyTurnEnds();
    }
    removeFirst();
    kind.hasLeft(this);
    kind.unmadeLeft();
  }

  /// Ends the turn of the first task, which was never made, and begins the turn of the second, if
  /// the loop would give the second task the next turn at once.
  ///
  /// @return false if the loop would not; then nothing has changed
  boolean passesTurnOn() {
    if (size < 2 || !loop.passesTurnOn()) {
      return false;
    }
    firstHasEnded();
    loop.beginTurn();
    turnBegins();
    return true;
  }

  /// The subject of the first task.
  Object firstSubject() {
    return subjects[first];
  }

  /// Makes the first task, and gives it a place of its own where the chain is. If the task has its
  /// turn, the turn goes on.
  @Override
  public TaskCore<?> makeFirst() {
    boolean running = loop.runningEntry() == this;
    TaskCore<?> task = kind.make(subjects[first], firstId, parentId, running);
    kind.giveOwnPlace(task, this);
    removeFirst();
    kind.hasLeft(this);
    task.wasMade(running);
    return task;
  }

  private void removeFirst() {
    size--;
    drop();
    while (length > 0 && subjects[first] == GAP) {
      drop();
    }
  }

  @SuppressWarnings("NullAway") // an empty place
  private void drop() {
    subjects[first] = null;
    first = (first + 1) & (subjects.length - 1);
    length--;
    firstId++;
  }

  /// Removes a task that has not begun.
  ///
  /// @param id the lower half of the task's number
  /// @return false if the task is not in this chain
  boolean remove(Object subject, int id) {
    int place = id - (int) firstId;
    if (place < 0 || place >= length || (place == 0 && loop.runningEntry() == this)) {
      return false;
    }
    int index = (first + place) & (subjects.length - 1);
    if (subjects[index] != subject) {
      return false;
    }
    if (place == 0) {
      removeFirst();
    } else {
      size--;
      subjects[index] = GAP;
    }
    return true;
  }

  /// Makes a task that describes the task that has the turn. Any thread: reads without
  /// synchronization, and may see the task before it, the task after it, or no task.
  @Override
  public @Nullable TaskCore<?> portrait() {
    Object[] all = subjects;
    Object subject = all[first & (all.length - 1)];
    return subject == null || subject == GAP ? null : kind.portrait(subject, firstId, parentId);
  }

  @Override
  public @Nullable Task<?> get() {
    return portrait();
  }

  /// Whether this chain may be kept for reuse. A large array would stay in memory.
  boolean isSmall() {
    return subjects.length <= 1 << 16;
  }

  @Override
  public String toString() {
    return "lazy tasks " + firstId + " and " + Arrays.toString(subjects);
  }
}
