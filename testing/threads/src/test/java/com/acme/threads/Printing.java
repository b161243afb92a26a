package com.acme.threads;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A program that prints, unmodified.
public final class Printing {

  private Printing() {}

  /// Prints lines, with a turn of other threads between them.
  public static void lines(String name, int count) {
    for (int i = 1; i <= count; i++) {
      System.out.print(name);
      System.out.println(i);
      Thread.yield();
    }
  }

  /// Prints to both streams.
  public static void both(String name) {
    System.out.print(name + " ou");
    System.err.println(name + " err");
    System.out.println("t ö");
    new IllegalStateException(name + " broken").printStackTrace();
  }

  /// Sets its stream, prints, and sets it back.
  ///
  /// @return what it has printed meanwhile
  public static String toItself(String name) {
    PrintStream before = System.out;
    var bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    Thread.yield();
    System.out.printf("%s to itself", name).flush();
    Thread.yield();
    System.setOut(before);
    System.out.println(name + " to all");
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /// Prints in several threads.
  public static void inThreads() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String name = "thread " + i + " line ";
      threads.add(new Thread(() -> lines(name, 3)));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
  }
}
