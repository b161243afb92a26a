package com.acme.threads;

/// A thread that waits in a loop until another one has written a field.
public final class Spinning {

  private volatile boolean written;

  private Spinning() {}

  /// {@return true, at the end}
  public static boolean run() {
    var spinning = new Spinning();
    new Thread(() -> spinning.written = true).start();
    while (!spinning.written) {
      // it does not give way
    }
    return spinning.written;
  }
}
