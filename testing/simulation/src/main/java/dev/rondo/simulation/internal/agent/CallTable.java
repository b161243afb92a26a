package dev.rondo.simulation.internal.agent;

import java.lang.classfile.CodeBuilder;
import org.jspecify.annotations.Nullable;

/// Which calls are rewritten, and what each becomes.
///
/// Any thread.
@FunctionalInterface
public interface CallTable {

  /// What stands in the place of a call.
  @FunctionalInterface
  interface Replacement {

    /// Writes code in the place of the call: its receiver and arguments are on the stack before,
    /// its result is after. [CalledMethod#writeTo] writes the call itself.
    ///
    /// @param code the rest of the method
    /// @param called the call
    void writeTo(CodeBuilder code, CalledMethod called);
  }

  /// {@return what a call becomes; null if it stays}
  @Nullable Replacement replacementOf(CalledMethod called);
}
