package com.acme.threads;

/// A class whose initialiser writes fields, again and again.
public final class Initialised {

  private Initialised() {}

  private static final class Table {

    private static final int[] VALUES = new int[50];

    static {
      fill();
    }

    private static int filled;

    private static void fill() {
      for (int i = 0; i < VALUES.length; i++) {
        VALUES[i] = i;
        filled++;
      }
    }

    static int last() {
      return VALUES[VALUES.length - 1] + filled;
    }
  }

  /// Two threads use it.
  public static void together() throws InterruptedException {
    var one = new Thread(Table::last);
    var other = new Thread(Table::last);
    one.start();
    other.start();
    one.join();
    other.join();
  }
}
