package com.acme.threads;

import java.util.concurrent.SynchronousQueue;

/// What is measured.
public final class Load {

  private Load() {}

  /// Passes numbers from one thread to another.
  public static void pass(int count) throws InterruptedException {
    var queue = new SynchronousQueue<Integer>();
    var receiver =
        new Thread(() -> {
          try {
            for (int i = 0; i < count; i++) {
              queue.take();
            }
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    receiver.start();
    for (int i = 0; i < count; i++) {
      queue.put(i);
    }
    receiver.join();
  }

  /// Reads the clock, in code that the agent has changed.
  public static long readClock(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += System.nanoTime();
    }
    return sum;
  }
}
