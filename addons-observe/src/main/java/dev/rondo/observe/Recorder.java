package dev.rondo.observe;

import static java.util.Objects.requireNonNull;

import dev.rondo.observe.internal.RecorderCore;
import dev.rondo.scheduler.Scheduler;
import org.jspecify.annotations.Nullable;

/// Keeps the last events of one scheduler, or of several on one thread: turns, waits, wakeups,
/// cancellations and ends. See [Observers#recorder(Recorder)].
///
/// A recorder allocates its memory once: some 32 bytes for each event of its capacity. Recording an
/// event of a task allocates nothing. The objects of an event, such as names, failures and awaited
/// events, stay reachable until the event is overwritten.
///
/// Tasks of add-ons are not recorded, unless they fail. The time of an event is the loop's last
/// reading of the clock, which may be some turns old. Under a virtual clock it is exact.
///
/// Confined to the scheduler's thread, except [#recording()].
public abstract sealed class Recorder permits RecorderCore {

  /// For the engine.
  protected Recorder() {}

  /// {@return a recorder that keeps the last events}
  ///
  /// @param capacity the number of events, from 1 to 10 million; the recorder keeps up to twice as
  ///   many
  /// @throws IllegalArgumentException if it is out of range
  public static Recorder ofCapacity(int capacity) {
    return new RecorderCore(capacity);
  }

  /// {@return the recorder that a scheduler was built with} Any thread.
  ///
  /// @param scheduler the recorded scheduler
  /// @throws IllegalStateException if it was built without one
  public static Recorder of(Scheduler scheduler) {
    return RecorderCore.of(requireNonNull(scheduler, "scheduler is null"));
  }

  /// Describes a task, with its stack, whenever the task begins to wait, and not when the recording
  /// is taken. So the recording is exact, and the recorder keeps no object of the program
  /// reachable. This costs some ten microseconds for each wait. For tests.
  ///
  /// @return this recorder
  /// @throws IllegalStateException if a scheduler has it already
  public abstract Recorder withDetails();

  /// {@return the last events, and the state of the live tasks} Never a suspension point. Any
  /// thread. On the scheduler's thread, the recording shows one moment. On another thread, the
  /// method waits up to two seconds for the loop to answer, and leaves out the tasks if the loop
  /// does not.
  public abstract Recording recording();

  // Events that do not belong to tasks.

  /// Records a note. It belongs to the task that has the turn, if the task's scheduler is recorded.
  ///
  /// @param lane the name of the host; empty if there is only one scheduler
  /// @param what in a few words
  /// @param detail shown on demand; may be empty
  public abstract void note(String lane, String what, String detail);

  /// Records the failure that is the reason for the recording.
  ///
  /// @param what in a few words
  /// @param failure its stack is shown; null if there is none
  public abstract void failure(String what, @Nullable Throwable failure);
}
