package dev.rondo.scheduler.engine.select;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.WaiterCore;
import org.jspecify.annotations.Nullable;

/// One branch of a choice: settles the wait above it, see [SelectCases].
final class SelectCase extends WaiterCore<Object> {

  private static final byte UNKNOWN = 0;
  private static final byte ALLOWED = 1;
  private static final byte REFUSED = 2;

  private final SelectCases cases;
  private final Waitable<?> source;

  /// Whether the source has the case. A source does not report that it drops a resting case. Such a
  /// case is in no list.
  private boolean armed;

  /// Whether the source is being armed, and may not have the case yet.
  private boolean arming;

  /// Whether this case may rest. The answer of [Source#mayStayArmed()] does not change.
  private byte rest = UNKNOWN;

  SelectCase(SelectCases cases, Waitable<?> source) {
    super(true);
    this.cases = cases;
    this.source = source;
  }

  Waitable<?> source() {
    return source;
  }

  SelectCases cases() {
    return cases;
  }

  /// The index of this case among its siblings, counted from 0. It never changes.
  int index() {
    return cases.indexOf(this);
  }

  @Override
  public TaskCore<?> task() {
    return above().task();
  }

  @Override
  public Rooms.Claim claim() {
    return above().claim();
  }

  private WaiterCore<?> above() {
    WaiterCore<?> above = cases.waitIfAny();
    if (above == null) {
      throw new IllegalStateException(
          "a waiter for " + source + " is used after its wait was over: forget it in disarm(..)");
    }
    return above;
  }

  /// Does nothing between two waits: the case refuses to be fired then.
  @Override
  public void checkCaller() {
    WaiterCore<?> above = cases.waitIfAny();
    if (above != null) {
      above.checkCaller();
    }
  }

  @Override
  public boolean isSettled() {
    WaiterCore<?> above = cases.openWait();
    return above == null || above.isSettled();
  }

  /// Whether the wait that this case serves, or was the last to serve, is over.
  @Override
  public boolean isResting() {
    return cases.openWait() == null;
  }

  boolean poll() {
    return pollOn(source);
  }

  private <V extends @Nullable Object> boolean pollOn(Waitable<V> part) {
    return part.poll(this.<V>as());
  }

  /// Arms this case, if it is not armed.
  ///
  /// @return whether the case was not armed
  boolean arm() {
    if (armed) {
      return false;
    }
    armOn(source);
    return true;
  }

  private <V extends @Nullable Object> void armOn(Waitable<V> part) {
    armed = true;
    arming = true;
    try {
      part.arm(this.<V>as());
    } catch (Throwable e) {
      armed = false;
      throw e;
    } finally {
      arming = false;
    }
    if (!armed && cases.winner() != this) {
      leave(part); // arming this case has fired a sibling
    }
  }

  /// Leaves the source.
  void leave() {
    if (armed) {
      armed = false;
      if (!arming) {
        leave(source);
      }
    } else if (cases.winner() != this) {
      var _ = endPoll();
    }
  }

  /// Rests if the case may rest, and leaves the source otherwise. A case that is being armed must
  /// not rest, because it may have refused an event that has come.
  ///
  /// @return whether it rests
  boolean leaveOrRest() {
    if (armed && !arming && mayRest()) {
      return true;
    }
    leave();
    return false;
  }

  private boolean mayRest() {
    if (rest == UNKNOWN) {
      rest = Composite.mayStayArmed(source) ? ALLOWED : REFUSED;
    }
    return rest == ALLOWED;
  }

  /// Ends a poll whose event had not come, if the case will not be armed.
  ///
  /// @return whether it rests
  boolean endPoll() {
    if (!armed && attachment != null) {
      if (attachment instanceof SelectCases inner && inner.waitIfAny() == this) {
        inner.endPoll(); // else its choice has given up already
      }
      attachment = null;
    }
    return armed;
  }

  /// Whether this case is armed since an earlier wait. If so, the case moves to the place of a
  /// waiter that begins to wait now.
  boolean staysArmed() {
    if (!armed) {
      return false;
    }
    if (queue == null) {
      armed = false; // the source passed over the case, and may have an event for it
      return false;
    }
    moveToEnd();
    return true;
  }

  @SuppressWarnings("unchecked") // the case is in that queue
  private void moveToEnd() {
    var home = (WaitQueue<Object>) queue;
    if (home != null && after != null) {
      home.remove(this);
      home.add(as());
    }
  }

  /// Leaves the queue. The source keeps no other trace of this case, as
  /// [promised][Source#mayStayArmed()].
  void endRest() {
    armed = false;
    if (queue != null) {
      queue.remove(this);
    }
  }

  @Override
  public boolean settle(@Nullable Object value, @Nullable Throwable failure, Place place) {
    WaiterCore<?> above = cases.openWait();
    if (above == null || !above.settle(failure == null ? this : null, failure, place)) {
      return false;
    }
    armed = false;
    cases.wonBy(this, value);
    return true;
  }
}
