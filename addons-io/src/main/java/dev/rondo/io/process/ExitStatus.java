package dev.rondo.io.process;

/// How a process ended.
///
/// The JDK tells both by one number, as a shell does: 128 and the signal's number for a process
/// that a signal killed. It asks the system for more, but keeps that to itself, and the system
/// tells each end but once; a shell in between would fold the two in the same way. So a program
/// that exits by itself with a value from 129 to 192 is taken for killed, as is a shell that tells
/// so that what it ran was killed; [#value()] is the number as it is.
public sealed interface ExitStatus {

  /// Where signals begin.
  int SIGNAL_BASE = 128;

  /// The largest number of a signal on Linux.
  int LARGEST_SIGNAL = 64;

  /// {@return the number the JDK tells}
  int value();

  /// It returned, or called `exit`.
  ///
  /// @param value 0 for success, by custom
  record Exited(int value) implements ExitStatus {}

  /// A signal killed it.
  ///
  /// @param signal its number: 9 for KILL, 15 for TERM, ...
  record Killed(int signal) implements ExitStatus {
    @Override
    public int value() {
      return SIGNAL_BASE + signal;
    }
  }

  /// {@return what a number of the JDK means}
  ///
  /// @param value as of [Process#exitValue()]
  static ExitStatus of(int value) {
    int signal = value - SIGNAL_BASE;
    return signal >= 1 && signal <= LARGEST_SIGNAL ? new Killed(signal) : new Exited(value);
  }

  /// {@return whether it exited with 0}
  default boolean isSuccess() {
    return value() == 0;
  }
}
