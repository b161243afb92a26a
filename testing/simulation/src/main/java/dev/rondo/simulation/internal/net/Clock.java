package dev.rondo.simulation.internal.net;

/// The time of a simulated network, which stands still unless it is advanced.
public interface Clock {

  /// {@return nanoseconds since an arbitrary instant, at least zero}
  long nanos();

  /// Moves to a later instant.
  ///
  /// @param nanos an instant of this clock, not before now
  void advanceTo(long nanos);

  /// {@return a clock that begins at zero}
  static Clock create() {
    return new Clock() {
      private long now;

      @Override
      public long nanos() {
        return now;
      }

      @Override
      public void advanceTo(long nanos) {
        now = nanos;
      }
    };
  }
}
