package com.acme.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/// Threads that enter monitors, unmodified.
public final class Entering {

  private static final int THREADS = 6;

  private Entering() {}

  /// Starts threads that pass a place. Every other one does so in a monitor.
  ///
  /// @param before is called with the number of a thread, before it wants the monitor
  /// @param passes is called with the number of a thread
  public static void inAndOut(Object monitor, IntConsumer before, IntConsumer passes)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(
          new Thread(() -> {
            if (number % 2 == 0) {
              before.accept(number);
              pass(monitor, number, passes);
            } else {
              passes.accept(number);
            }
          }));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
  }

  private static void pass(Object monitor, int number, IntConsumer passes) {
    synchronized (monitor) {
      passes.accept(number);
    }
  }

  /// One thread has a monitor and sleeps, a second one wants it meanwhile, a third one has a turn
  /// whenever another one has.
  ///
  /// @param has is called when the first one has the monitor
  /// @param before is called before the second one wants it
  /// @param passes is called with the number of a thread
  public static void oneAfterTheOther(
      Object monitor, Runnable has, Runnable before, IntConsumer passes)
      throws InterruptedException {
    var first =
        new Thread(() -> {
          synchronized (monitor) {
            has.run();
            sleep(10);
            passes.accept(1);
          }
          sleep(0);
          passes.accept(2);
        });
    var second =
        new Thread(() -> {
          sleep(5);
          before.run();
          pass(monitor, 3, passes);
        });
    var third =
        new Thread(() -> {
          for (int i = 4; i < 9; i++) {
            sleep(i == 4 ? 10 : 0);
            passes.accept(i);
          }
        });
    for (Thread each : List.of(first, second, third)) {
      each.start();
    }
    for (Thread each : List.of(first, second, third)) {
      each.join();
    }
  }

  private static void sleep(long millis) {
    try {
      if (millis == 0) {
        Thread.yield();
      } else {
        Thread.sleep(millis);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Passes a monitor.
  public static void pass(Object monitor) {
    pass(monitor, 0, number -> {});
  }

  /// Has a monitor while it sleeps.
  ///
  /// @param left is called when it has left it, in the same turn
  public static void hold(Object monitor, long millis, Runnable left) {
    synchronized (monitor) {
      sleep(millis);
    }
    left.run();
  }

  /// Notifies all that wait.
  public static void notifyAll(Object monitor) {
    synchronized (monitor) {
      monitor.notifyAll();
    }
  }

  /// Waits for a notification of a monitor.
  @SuppressWarnings("WaitNotInLoop") // the test looks at one wait
  public static void await(Object monitor, long millis) throws InterruptedException {
    synchronized (monitor) {
      monitor.wait(millis);
    }
  }

  /// Notifies those that wait.
  public static void notify(Object monitor) {
    synchronized (monitor) {
      monitor.notify();
    }
  }

  /// Two threads wait for a notification, a third one notifies both.
  ///
  /// @param passes is called with the number of a thread
  public static void notified(Object monitor, IntConsumer passes) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int number = i;
      threads.add(
          new Thread(() -> {
            synchronized (monitor) {
              try {
                monitor.wait();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              sleep(1);
              passes.accept(number);
            }
          }));
    }
    threads.add(
        new Thread(() -> {
          sleep(5);
          synchronized (monitor) {
            monitor.notifyAll();
            sleep(5);
            passes.accept(2);
          }
          passes.accept(3);
        }));
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
  }
}
