package com.acme.threads;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// Programs that end in order.
public final class Ending {

  private Ending() {}

  private static void hook(String name, int millis, Consumer<String> told) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  told.accept(name + " begins");
                  sleep(millis);
                  told.accept(name + " ends");
                },
                name));
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Ends itself, twice.
  public static void exits(Consumer<String> told) throws IOException {
    hook("hook", 100, told);
    var removed = new Thread(() -> told.accept("removed"));
    Runtime.getRuntime().addShutdownHook(removed);
    told.accept("removes " + Runtime.getRuntime().removeShutdownHook(removed));
    File file = new File("/file");
    told.accept("makes " + file.createNewFile());
    file.deleteOnExit();
    var second =
        new Thread(() -> {
          sleep(50);
          System.exit(2);
        });
    second.start();
    try {
      System.exit(1);
    } finally {
      told.accept("goes on");
    }
  }

  /// Ends at once.
  public static void halts(Consumer<String> told) {
    hook("hook", 100, told);
    Runtime.getRuntime().halt(1);
    told.accept("goes on");
  }

  /// Returns, and has a thread that ends later and one that does not count.
  public static void returns(Consumer<String> told) {
    hook("hook", 100, told);
    var daemon = new Thread(() -> sleep(1_000_000));
    daemon.setDaemon(true);
    daemon.start();
    new Thread(
            () -> {
              sleep(200);
              told.accept("last thread ends");
            })
        .start();
    told.accept("main ends");
  }

  /// Serves until it is asked to end; ends its work in a hook.
  ///
  /// @param millis how long that takes
  public static void serves(int millis, Consumer<String> told) {
    ExecutorService work = Executors.newFixedThreadPool(2);
    work.execute(() -> sleep(1_000_000_000));
    hook("hook", millis, told);
  }
}
