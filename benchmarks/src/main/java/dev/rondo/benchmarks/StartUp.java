package dev.rondo.benchmarks;

import dev.rondo.application.Application;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The time from the start of a Java virtual machine until the first task runs. It is measured from
/// outside, up to the first line of output.
///
/// Nearly all of it is the machine's own start, as `bare` shows, and the loading of Rondo's classes
/// and of the JDK classes that they need. The row with Logback includes the start of Logback, which
/// takes more than all the rest. BOUND also loads virtual threads.
public final class StartUp {

  private static final int ROUNDS = 10;

  private StartUp() {}

  /// The program that is started.
  private enum Program {
    bare {
      @Override
      void run() {
        begun();
      }
    },
    rondo {
      @Override
      void run() {
        try (var scheduler = Scheduler.create()) {
          scheduler.spawn(StartUp::begun);
          scheduler.start();
        }
      }
    },
    rondoBound {
      @Override
      void run() {
        try (var scheduler = Scheduler.builder().backend(CoroutineBackends.bound()).build()) {
          scheduler.spawn(StartUp::begun);
          scheduler.start();
        }
      }
    },
    rondoApplication {
      @Override
      void run() {
        Application.run(app -> begun());
      }
    },
    rondoApplicationWithLogback {
      @Override
      void run() throws InterruptedException {
        rondoApplication.run();
      }

      @Override
      List<String> flags() {
        return List.of();
      }
    },
    kotlinx {
      @Override
      void run() {
        CoroutinePeers.first(StartUp::begun);
      }
    },
    virtualThread {
      @Override
      void run() throws InterruptedException {
        Thread.startVirtualThread(StartUp::begun).join();
      }
    };

    abstract void run() throws InterruptedException;

    /// A program with a logging library has the cost of its start, with Rondo and without.
    List<String> flags() {
      return List.of("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");
    }
  }

  private static void begun() {
    System.out.println("begun");
  }

  static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0) {
      Program.valueOf(args[0]).run();
      return;
    }
    for (int i = 0; i < ROUNDS; i++) {
      for (Program program : Program.values()) {
        long nanos = start(program);
        if (i > 0) { // the first run fills the file cache
          Sample.print("start up", "", program.name(), "ms", nanos / 1e6);
        }
      }
    }
  }

  private static long start(Program program) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(program.flags());
    command.addAll(
        List.of(
            "-cp", System.getProperty("java.class.path"), StartUp.class.getName(), program.name()));
    long before = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines = process.inputReader()) {
      String line = lines.readLine();
      long nanos = System.nanoTime() - before;
      if (!"begun".equals(line)) {
        throw new IOException(program + " said " + line);
      }
      process.waitFor();
      return nanos;
    }
  }
}
