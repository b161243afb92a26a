package com.acme.threads;

import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.threads.BlockingJava;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;

/// Makes the same run several times in a JVM of its own, on several threads, and prints what
/// differs from the first one.
public final class FirstUse {

  private FirstUse() {}

  /// A class that all runs share: whatever it draws, it draws once.
  private static final class Shared {
    static final long DRAWN =
        new Random().nextLong()
            ^ ThreadLocalRandom.current().nextLong()
            ^ UUID.randomUUID().hashCode()
            ^ Double.hashCode(Math.random())
            ^ new Thread(() -> {}).threadId();
    static final long BEGIN = System.nanoTime();
    static final long DAY = System.currentTimeMillis();
  }

  /// Fails when it is initialised.
  private static final class Failing {
    static final int DRAWN = 1 / (ThreadLocalRandom.current().nextInt() & 0);
  }

  /// As a process.
  public static final class Program implements WorldHost.Main {

    private final Consumer<String> tell;

    /// @param tell receives what it says
    public Program(Consumer<String> tell) {
      this.tell = tell;
    }

    @Override
    public void run(WorldHost host) throws Exception {
      use(tell);
    }
  }

  private static void use(Consumer<String> tell) throws Exception {
    Thread.sleep(10);
    tell.accept("shared " + Shared.DRAWN + " " + Shared.BEGIN + " " + Shared.DAY);
    try {
      tell.accept("" + Failing.DRAWN);
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      tell.accept("failed");
    }
    tell.accept(drawn());
    SSLContext context = SSLContext.getDefault(); // the JDK keeps it
    tell.accept(context.getProtocol() + " " + new SecureRandom().nextInt());
    tell.accept("in a pool " + CompletableFuture.supplyAsync(FirstUse::drawn).get());
    try (var pool = Executors.newWorkStealingPool()) {
      for (int i = 0; i < 10; i++) {
        pool.execute(() -> tell.accept(drawn()));
      }
    }
    tell.accept(
        "in a stream "
            + IntStream.range(0, 50).parallel().mapToObj(i -> drawn()).toList().hashCode());
    tell.accept("end " + drawn());
  }

  private static String drawn() {
    return "%s %s %d %d %s"
        .formatted(
            Thread.currentThread().getName(),
            ThreadLocalRandom.current().nextInt(),
            new Random().nextInt(),
            Thread.currentThread().threadId(),
            UUID.randomUUID());
  }

  private static List<String> run(boolean isProcess) {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    Consumer<String> tell = told::add;
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", isProcess ? BlockingJava.program(Program.class, tell) : host -> use(tell));
      world.runUntil(() -> told.toString().contains("end"), Duration.ofHours(1));
      told.add("" + world.digest());
    }
    return told;
  }

  /// Runs four times, and prints what the first run has other than a later one.
  ///
  /// @param arguments `process` or `lambda`
  public static void main(String[] arguments) throws Exception {
    boolean isProcess = arguments[0].equals("process");
    List<List<String>> runs = Collections.synchronizedList(new ArrayList<>());
    runs.add(run(isProcess));
    runs.add(run(isProcess));
    var thread =
        new Thread(() -> {
          ThreadLocalRandom.current();
          runs.add(run(isProcess));
        });
    thread.start();
    thread.join();
    try (var pool = new ForkJoinPool(1)) {
      pool.submit(() -> runs.add(run(isProcess))).get();
    }
    List<String> first = runs.getFirst();
    for (List<String> each : runs) {
      for (int i = 0; i < first.size(); i++) {
        if (!each.get(i).equals(first.get(i))) {
          System.out.println("first " + first.get(i) + ", then " + each.get(i));
        }
      }
    }
    System.out.println(runs.size() + " runs of " + first);
  }
}
