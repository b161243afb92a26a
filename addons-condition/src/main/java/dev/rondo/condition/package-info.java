/// Waiting for conditions: predicates that are looked at once per round, and signals that somebody
/// sends.
///
/// [WaitForCondition] and [WaitForSignal] are the add-ons; [Cell] is a variable that predicates can
/// watch; [Signal] is a signal as an object, with a type; a [Registration] is a handler that one of
/// them calls.
///
/// Everything here is confined to the scheduler's thread unless it says otherwise.
@NullMarked
package dev.rondo.condition;

import org.jspecify.annotations.NullMarked;
