package dev.rondo.benchmarks.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program that measures by itself and prints [Sample]s, run several times, each time in a fresh
/// JVM. A program with arguments runs once for each argument.
final class LoadWorkload implements Workload {

  private static final long MOST_MINUTES = 5;
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private final String name;
  private final Class<?> program;
  private final List<String> arguments;
  private final int forks;
  private final long mostMinutes;

  private LoadWorkload(
      String name, Class<?> program, int forks, long mostMinutes, List<String> arguments) {
    this.name = name;
    this.program = program;
    this.forks = forks;
    this.mostMinutes = mostMinutes;
    this.arguments = arguments;
  }

  LoadWorkload(String name, Class<?> program, String... arguments) {
    this(
        name,
        program,
        Workload.FORKS,
        MOST_MINUTES,
        arguments.length == 0 ? List.of("") : List.of(arguments));
  }

  /// {@return the same workload, started once: it starts fresh JVMs itself}
  LoadWorkload once() {
    return new LoadWorkload(name, program, 1, mostMinutes, arguments);
  }

  /// {@return the same workload, which may take longer than usual}
  ///
  /// @param minutes at the most
  LoadWorkload withinMinutes(long minutes) {
    return new LoadWorkload(name, program, forks, minutes, arguments);
  }

  /// {@return the same workload, which may take hours}
  LoadWorkload withoutLimit() {
    return new LoadWorkload(name, program, forks, NO_LIMIT, arguments);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int forks() {
    return forks;
  }

  @Override
  public void run(Results results) throws Exception {
    for (int fork = 1; fork <= forks; fork++) {
      for (String argument : arguments) {
        System.out.printf("%n# %s %s, fork %d of %d%n", name, argument, fork, forks);
        try {
          fork(argument, results);
        } catch (IOException e) {
          results.fail((name + " " + argument).strip(), e.toString());
        }
      }
    }
  }

  private void fork(String argument, Results results) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(java());
    command.add(program.getName());
    if (!argument.isEmpty()) {
      command.add(argument);
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread guard = Thread.startVirtualThread(() -> endInTime(process));
    int samples = 0;
    boolean skipped = false;
    try (BufferedReader lines = process.inputReader()) {
      for (String line; (line = lines.readLine()) != null; ) {
        System.out.println(line);
        if (line.startsWith(Sample.SKIP)) {
          skipped = true;
          results.skip(name, line.substring(Sample.SKIP.length()));
        }
        var sample = Sample.parse(line);
        sample.ifPresent(results::add);
        samples += sample.isPresent() ? 1 : 0;
      }
    } finally {
      guard.interrupt();
    }
    int code = process.waitFor();
    if (code != 0 || (samples == 0 && !skipped)) {
      results.fail(
          (name + " " + argument).strip(), "ended with " + code + " and " + samples + " samples");
    }
  }

  private void endInTime(Process process) {
    try {
      if (!process.waitFor(mostMinutes, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process has ended
    }
  }

  /// {@return the command that started this JVM, up to the class path}
  static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    return command;
  }
}
