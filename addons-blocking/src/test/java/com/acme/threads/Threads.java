package com.acme.threads;

import java.io.IOException;
import java.net.DatagramSocket;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/// What programs do with threads, clocks and chance.
public final class Threads {

  /// Of a process.
  private static int started;

  private Threads() {}

  /// {@return what a program reads of its clocks, in several ways}
  @SuppressWarnings("JavaUtilDate") // programs use it
  public static List<String> clocks() {
    LongSupplier reference = System::currentTimeMillis;
    return List.of(
        "" + Instant.now(),
        "" + Instant.now(Clock.systemUTC()),
        "" + Instant.ofEpochMilli(System.currentTimeMillis()),
        "" + new Date().toInstant(),
        "" + Instant.ofEpochMilli(reference.getAsLong()));
  }

  /// {@return what a program draws}
  public static List<String> chance() {
    var bytes = new byte[4];
    new SecureRandom().nextBytes(bytes);
    return List.of(
        "" + new Random().nextInt(),
        "" + Math.random(),
        "" + ThreadLocalRandom.current().nextInt(),
        "" + UUID.randomUUID(),
        "" + new SplittableRandom().nextInt(),
        java.util.HexFormat.of().formatHex(bytes),
        "" + Set.of("a", "b", "c", "d"),
        "" + Map.of("a", 1, "b", 2, "c", 3),
        "" + new Object().hashCode());
  }

  /// {@return how often a program of this process was started}
  public static int started() {
    return ++started;
  }

  /// Tells in which order threads go on that wait for a lock, and what they are.
  public static List<String> order() throws InterruptedException {
    var order = new ArrayList<String>();
    var lock = new Object();
    var threads = new HashSet<Thread>();
    synchronized (lock) {
      for (int i = 0; i < 8; i++) {
        var thread =
            new Thread(() -> {
              synchronized (lock) {
                order.add(Thread.currentThread().getName() + Thread.currentThread().threadId());
              }
            });
        threads.add(thread);
        thread.start();
      }
      Thread.sleep(10);
    }
    for (Thread each : threads) {
      each.join();
    }
    return order;
  }

  /// Interrupts a thread that sleeps.
  public static boolean interrupted() throws InterruptedException {
    var told = new CountDownLatch(1);
    var thread =
        new Thread(() -> {
          try {
            Thread.sleep(1_000_000);
          } catch (InterruptedException e) {
            told.countDown();
          }
        });
    thread.start();
    Thread.sleep(10);
    thread.interrupt();
    told.await();
    thread.join();
    return !thread.isAlive() && thread.getState() == Thread.State.TERMINATED;
  }

  /// Fails in a thread that nothing waits for.
  public static void failing() {
    new Thread(
            () -> {
              throw new IllegalStateException("broken");
            })
        .start();
  }

  /// Submits to a pool of threads of its own and says which thread has run that.
  public static boolean knowsItsThread() throws Exception {
    var made = new ArrayList<Thread>();
    try (ExecutorService pool =
        Executors.newSingleThreadExecutor(code -> {
          var thread = new Thread(code, "own");
          made.add(thread);
          return thread;
        })) {
      return pool.submit(Thread::currentThread).get() == made.getFirst();
    }
  }

  /// Starts a subprocess.
  public static void subprocess() throws IOException {
    Process _ = new ProcessBuilder("true").start();
  }

  /// Opens a socket of datagrams, and ignores that it cannot.
  public static void datagrams() throws IOException {
    try (var socket = new DatagramSocket()) {
      socket.getLocalPort();
    } catch (UnsupportedOperationException e) {
      // the program goes on
    }
  }

  /// Waits for an instant without giving way.
  public static void spinning() {
    long end = System.nanoTime() + 1;
    while (System.nanoTime() < end) {
      // until then
    }
  }

  /// Waits for another thread, and gives way.
  public static void yielding() {
    while (started >= 0) {
      Thread.onSpinWait();
    }
  }

  /// Waits in a class initialiser.
  public static void initialising() {
    Object _ = Initialised.VALUE;
  }

  private static final class Initialised {
    static final Object VALUE = slowly();

    private static Object slowly() {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return "";
    }
  }
}
