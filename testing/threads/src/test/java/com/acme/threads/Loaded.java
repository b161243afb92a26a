package com.acme.threads;

import dev.rondo.simulation.WorldHost;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A program that uses a database and a pool of threads, and never ends.
public final class Loaded implements WorldHost.Main {

  private final Consumer<ClassLoader> told;
  private boolean ended;

  /// @param told receives what has loaded the program
  public Loaded(Consumer<ClassLoader> told) {
    this.told = told;
  }

  private synchronized void await() {
    try {
      while (!ended) {
        wait();
      }
    } catch (InterruptedException e) {
      ended = true;
    }
  }

  /// Wants a monitor that another thread has for ever.
  private static void enter(Object monitor) {
    var holder =
        new Thread(() -> {
          synchronized (monitor) {
            LockSupport.park();
          }
        });
    holder.start();
    new Thread(
            () -> {
              synchronized (monitor) {
                throw new IllegalStateException("entered");
              }
            })
        .start();
  }

  @Override
  public void run(WorldHost host) throws Exception {
    var _ = Executors.newScheduledThreadPool(2).schedule(() -> {}, 1, TimeUnit.DAYS);
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute("create table numbers (id int primary key)");
    }
    new Thread(this::await).start();
    enter(new Object());
    Thread.sleep(10);
    told.accept(Loaded.class.getClassLoader());
    try (var server = new ServerSocket(7)) {
      server.accept().close(); // never: this thread has loaded classes
    }
  }
}
