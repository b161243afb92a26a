package dev.rondo.io.process;

/// How a process ended. Immutable; any thread.
///
/// The JDK reports both ways by one number, as a shell does: a process that a signal killed has 128
/// plus the signal's number. The system reports each end only once, and the JDK keeps the rest to
/// itself. So a program that exits by itself with a value from 129 to 192 counts as killed. So does
/// a shell that reports a killed child in this way. [#value()] is the unchanged number.
public sealed interface ExitStatus {

  /// {@return the number that the JDK reports}
  int value();

  /// The process returned, or called `exit`.
  ///
  /// @param value 0 for success, by convention
  record Exited(int value) implements ExitStatus {}

  /// A signal killed the process.
  ///
  /// @param signal its number: 9 for KILL, 15 for TERM, ...
  record Killed(int signal) implements ExitStatus {

    /// {@return the name of the signal without SIG: `KILL`, `TERM`; its number if it has none}
    public String name() {
      return SignalNames.of(signal);
    }

    @Override
    public String toString() {
      return "Killed[signal=" + signal + ", name=" + name() + "]";
    }

    /// The number that is added to a signal's number.
    static final int BASE = 128;

    /// The largest number of a signal on Linux.
    static final int LARGEST_SIGNAL = 64;

    @Override
    public int value() {
      return BASE + signal;
    }
  }

  /// {@return whether the process exited with 0}
  default boolean isSuccess() {
    return value() == 0;
  }
}
