package dev.rondo.computicle;

import dev.rondo.scheduler.internal.rooms.WaitClaim;
import org.jspecify.annotations.Nullable;

/// A wait at an [Exchange], to send or to receive.
abstract class Party {

  /// The right to settle the wait. The branches of a select share one claim.
  final WaitClaim claim;

  /// The message to send; null if the party receives.
  final @Nullable Object element;

  Party(WaitClaim claim, @Nullable Object element) {
    this.claim = claim;
    this.element = element;
  }

  /// Ends the wait, whose claim was taken. Any thread, outside of the lock.
  ///
  /// @param outcome an element, [Exchange.Answer#SENT] or a [Closing]
  abstract void settle(Object outcome);
}
