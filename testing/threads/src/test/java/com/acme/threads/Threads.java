package com.acme.threads;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// What programs do with threads, clocks and chance.
public final class Threads {

  /// Of a process.
  private static int started;

  private static Object wanted = "";

  private Threads() {}

  /// {@return whether a thread is a daemon that a virtual thread makes, and one that main makes}
  public static List<Boolean> daemons() throws InterruptedException {
    var daemons = new ArrayList<Boolean>();
    Thread.ofVirtual().start(() -> daemons.add(new Thread(() -> {}).isDaemon())).join();
    daemons.add(new Thread(() -> {}).isDaemon());
    return daemons;
  }

  /// Fails; the program has a handler for that.
  public static void failsHandled(List<String> told) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> told.add(thread.getName() + ": " + failure.getMessage()));
    throw new IllegalStateException("main is broken");
  }

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
        HexFormat.of().formatHex(bytes),
        HexFormat.of().formatHex(new SecureRandom().generateSeed(4)),
        "" + RandomGenerator.getDefault().nextInt(),
        "" + RandomGenerator.of("Xoshiro256PlusPlus").nextInt(),
        "" + Set.of("a", "b"),
        "" + Set.of("a", "b", "c", "d"),
        "" + Map.of("a", 1, "b", 2, "c", 3),
        "" + new Object().hashCode());
  }

  /// {@return ways to draw}
  public static List<Runnable> draws() {
    return List.of(
        () -> ThreadLocalRandom.current().nextInt(),
        () -> new Random().nextInt(),
        () -> Math.random(),
        () -> UUID.randomUUID());
  }

  /// {@return what the JDK numbers or draws for all programs}
  public static List<String> numbers() throws Exception {
    var timer = new Timer();
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      var name = new CompletableFuture<String>();
      timer.schedule(
          new TimerTask() {
            @Override
            public void run() {
              name.complete(Thread.currentThread().getName());
            }
          },
          1);
      return List.of(
          pool.submit(() -> Thread.currentThread().getName()).get(),
          name.get(),
          "" + new Random().nextInt(),
          "" + new SplittableRandom().nextInt());
    } finally {
      timer.cancel();
    }
  }

  /// {@return the methods that threads are in: one that runs, and one that waits}
  public static List<String> stacks() throws InterruptedException {
    var there = new CountDownLatch(1);
    var latch = new CountDownLatch(1);
    var names = new ArrayList<String>();
    var waits = new Thread(() -> waits(there, latch));
    var runs =
        new Thread(() -> names.add(Thread.currentThread().getStackTrace()[1].getMethodName()));
    waits.start();
    there.await();
    runs.start();
    runs.join();
    for (StackTraceElement each : waits.getStackTrace()) {
      if (each.getClassName().equals(Threads.class.getName())) {
        names.add(each.getMethodName());
      }
    }
    latch.countDown();
    waits.join();
    names.add("" + waits.getStackTrace().length);
    return names;
  }

  private static void waits(CountDownLatch there, CountDownLatch latch) {
    there.countDown();
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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

  /// {@return in which order threads have turns of which each gives way five times}
  public static String yields() throws InterruptedException {
    var order = new ConcurrentLinkedQueue<String>();
    var threads = new ArrayList<Thread>();
    for (String each : List.of("a", "b")) {
      threads.add(
          new Thread(() -> {
            for (int i = 0; i < 5; i++) {
              order.add(each);
              Thread.yield();
            }
          }));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
    return String.join("", order);
  }

  /// {@return in which order threads go on: one that was woken, and two that were ready before}
  public static String woken() throws InterruptedException {
    var order = new ConcurrentLinkedQueue<String>();
    var threads = new ArrayList<Thread>();
    var waiter =
        new Thread(() -> {
          LockSupport.park();
          order.add("w");
        });
    waiter.start();
    Thread.sleep(10);
    threads.add(waiter);
    for (String each : List.of("a", "b")) {
      var thread = new Thread(() -> order.add(each));
      threads.add(thread);
      thread.start();
    }
    LockSupport.unpark(waiter);
    for (Thread each : threads) {
      each.join();
    }
    return String.join("", order);
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
    Process _ =
        new ProcessBuilder("/opt/java/bin/java", "-Xmx1g", "-cp", "a.jar", "com.acme.Child", "7")
            .start();
  }

  /// Opens a device, and ignores that it cannot.
  public static void device(String name) throws IOException {
    try (var stream = new FileInputStream(name)) {
      stream.getFD();
    } catch (UnsupportedOperationException e) {
      // the program goes on
    }
  }

  /// Receives a datagram that another thread sends, and waits five seconds for a second one.
  ///
  /// @return what it has received, and how long it has waited, in milliseconds
  public static String datagrams() throws IOException {
    try (var server = new DatagramSocket(53, InetAddress.getLocalHost())) {
      new Thread(() -> send(server.getLocalSocketAddress())).start();
      var packet = new DatagramPacket(new byte[10], 10);
      server.receive(packet);
      long begin = System.currentTimeMillis();
      server.setSoTimeout(5_000);
      try {
        server.receive(new DatagramPacket(new byte[10], 10));
      } catch (SocketTimeoutException e) {
        return packet.getData()[0] + " " + (System.currentTimeMillis() - begin);
      }
      throw new AssertionError("more than one datagram");
    }
  }

  private static void send(SocketAddress to) {
    try (var client = new DatagramSocket()) {
      Thread.sleep(10);
      client.send(new DatagramPacket(new byte[] {7}, 1, to));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A thread that knows what it is.
  private static final class Own extends Thread {

    private boolean same;

    @Override
    public void run() {
      same = Thread.currentThread() == this;
    }
  }

  /// {@return whether a thread of a subclass runs, and is the running thread}
  public static boolean ofSubclass() throws InterruptedException {
    var thread = new Own();
    thread.start();
    thread.join();
    return thread.same;
  }

  /// Polls the clock for a second. {@return whether a thread that slept meanwhile has ended}
  public static boolean spinning() {
    var sleeper = new Thread(Threads::sleepHalfASecond);
    sleeper.start();
    long end = System.nanoTime() + 1_000_000_000;
    while (System.nanoTime() < end) {
      // time moves
    }
    return !sleeper.isAlive();
  }

  private static void sleepHalfASecond() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Waits for another thread, and gives way.
  public static void yielding() {
    while (started >= 0) {
      Thread.onSpinWait();
    }
  }

  /// Waits for another thread, without any call.
  public static void looping() {
    while (started >= 0) {
      // until then
    }
  }

  /// Sleeps in a class initialiser.
  public static void initialising() {
    Object _ = Initialised.VALUE;
  }

  /// Waits for a notification in a class initialiser.
  public static void notified() {
    Object _ = Notified.VALUE;
  }

  /// Enters a monitor in a class initialiser. Once in a process.
  public static void entering(Object monitor) {
    wanted = monitor;
    Object _ = Entering.VALUE;
  }

  /// Enters a monitor.
  ///
  /// @return whether it has
  public static boolean enter(Object monitor) {
    synchronized (monitor) {
      return Thread.holdsLock(monitor);
    }
  }

  private static final class Entering {
    static final Object VALUE = entered();

    private static Object entered() {
      synchronized (wanted) {
        return wanted;
      }
    }
  }

  private static final class Notified {
    static final Object VALUE = patiently();

    @SuppressWarnings("WaitNotInLoop") // nothing notifies
    private static Object patiently() {
      var monitor = new Object();
      synchronized (monitor) {
        try {
          monitor.wait(1);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return monitor;
    }
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
