package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/// What the author of a waitable provides to its tests.
///
/// @param <T> what the event carries
abstract class WaitableFixture<T extends @Nullable Object> extends SchedulerTest {

  /// The result of [#registered()] if it is not known.
  protected static final int UNKNOWN = -1;

  static final Duration SECOND = Duration.ofSeconds(1);

  Waitable<T> waitable;

  /// Makes the waitable to test; its event has not happened. Called once for each test, on the
  /// scheduler's thread outside of tasks.
  protected abstract Waitable<T> make();

  /// What happens to its event.
  protected abstract WaitableContract.Kind kind();

  /// Makes the event happen, now, in a turn soon, or by an action that it [posts][Scheduler#post]:
  /// any number of times, but only once for [WaitableContract.Kind#LASTING]. Called on the
  /// scheduler's thread, in tasks and outside.
  ///
  /// @return the result of a wait that receives the event
  protected abstract T happen();

  /// How many waiters are registered with the waitable, or [#UNKNOWN].
  protected abstract int registered();

  /// Makes the waitable. Called by JUnit.
  @BeforeEach
  public final void makeWaitable() {
    waitable = make();
    drive();
  }

  /// Whether tasks of any scheduler may wait, as [Waitable#scheduler()] says: false, unless the
  /// waitable keeps nothing of its waiters.
  protected boolean isForAnyScheduler() {
    return false;
  }

  void assertRegistered(int expected) {
    if (registered() != UNKNOWN) {
      assertEquals(expected, registered(), "waiters in its books");
    }
  }

  Task<Void> waiter(String name) {
    return scheduler.spawn(name, () -> trace(name + "=" + scheduler.await(waitable)));
  }

  /// The event stays available for later waits.
  void assertNotLost(T value) {
    if (kind() != WaitableContract.Kind.PASSING) {
      waiter("next");
      scheduler.start();
      assertTrace("next=" + value);
    }
  }
}
