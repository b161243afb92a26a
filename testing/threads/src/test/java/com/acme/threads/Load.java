package com.acme.threads;

import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// What is measured.
public final class Load {

  private static final int COUNT = 5_000_000;
  private static final int ROUNDS = 10;

  private Load() {}

  private interface Code {
    long run();
  }

  /// Prints what a thread that is none of a simulation pays for calls, in this JVM: before there is
  /// a world, or after one with the property `blocking.world`.
  public static void main(String[] arguments) {
    if (Boolean.getBoolean("blocking.world")) {
      BlockingJava.in(World.withSeed(7)).close();
    }
    best("System.nanoTime()", () -> readClock(COUNT));
    best("unpark and park", () -> park(COUNT));
    best("a ReentrantLock", () -> lock(COUNT, new ReentrantLock()));
    best("a CompletableFuture", () -> future(COUNT));
    best("a ForkJoinTask", () -> forkJoin(COUNT));
    best("Thread.currentThread()", () -> current(COUNT));
    best("Thread.isInterrupted()", () -> interrupted(COUNT));
    best("a round of a loop", () -> loop(COUNT));
  }

  private static void best(String what, Code code) {
    long best = Long.MAX_VALUE;
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long begin = System.nanoTime();
      sum += code.run();
      best = Math.min(best, System.nanoTime() - begin);
    }
    System.out.printf("  %s: %.2f ns%s%n", what, (double) best / COUNT, sum == 0 ? " " : "");
  }

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

  private static long park(int count) {
    Thread own = Thread.currentThread();
    for (int i = 0; i < count; i++) {
      LockSupport.unpark(own);
      LockSupport.park();
    }
    return count;
  }

  private static long lock(int count, Lock lock) {
    long sum = 1;
    for (int i = 0; i < count; i++) {
      lock.lock();
      try {
        sum += i;
      } finally {
        lock.unlock();
      }
    }
    return sum;
  }

  private static long future(int count) {
    long sum = 1;
    for (int i = 0; i < count; i++) {
      var future = new CompletableFuture<Integer>();
      future.complete(1);
      sum += future.join();
    }
    return sum;
  }

  private static long forkJoin(int count) {
    long sum = 1;
    for (int i = 0; i < count; i++) {
      sum += ForkJoinTask.adapt(() -> 1).invoke();
    }
    return sum;
  }

  private static long current(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Thread.currentThread().getPriority();
    }
    return sum;
  }

  private static long interrupted(int count) {
    Thread own = Thread.currentThread();
    long sum = 1;
    for (int i = 0; i < count; i++) {
      sum += own.isInterrupted() ? 1 : 0;
    }
    return sum;
  }

  private static long loop(int count) {
    long sum = count;
    for (int i = 0; i < count; i++) {
      sum = sum * 31 + i;
    }
    return sum;
  }

  private static long readClock(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += System.nanoTime();
    }
    return sum;
  }
}
