package dev.rondo.scheduler.internal.rooms;

import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.WaiterCore;
import org.jspecify.annotations.Nullable;

/// The object that a [dev.rondo.scheduler.Waitable] keeps with each of its waiters, in place of a
/// map. Confined to the scheduler's thread.
public final class Attachment {

  private Attachment() {}

  /// Sets the object that a [dev.rondo.scheduler.Waitable] keeps with a waiter that is armed on it.
  /// The object is dropped when the wait ends.
  ///
  /// @param waiter armed on the caller
  /// @param attachment anything
  public static void set(Waiter<?> waiter, @Nullable Object attachment) {
    WaiterCore.of(waiter).attachment = attachment;
  }

  /// {@return the object that was [set][#set]; null if there is none}
  ///
  /// @param waiter armed on the caller
  public static @Nullable Object of(Waiter<?> waiter) {
    return WaiterCore.of(waiter).attachment;
  }
}
