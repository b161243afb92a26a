package com.example.fresh;

/// A library that keeps something in a static field.
public final class Counter {

  private static int count;

  private Counter() {}

  /// {@return how often it was called}
  public static int next() {
    return ++count;
  }
}
