package dev.rondo.exploration;

/// A replayed run has asked for other choices than those recorded: its code has changed, or
/// something outside of the choices decides, such as a real clock, another thread, or the order of
/// a hash table.
///
/// The stack is that of the choice that differs. If the run was repeated and asked for the recorded
/// choice then, the stack of that is the cause.
public final class ReplayDivergedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /// Of the choice that differs.
  private final int index;

  ReplayDivergedException(int index, String message) {
    super(message);
    this.index = index;
  }

  /// {@return the index of the first choice that differs, from 0}
  public int index() {
    return index;
  }
}
