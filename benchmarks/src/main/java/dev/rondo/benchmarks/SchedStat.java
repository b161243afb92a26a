package dev.rondo.benchmarks;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The counts of Linux's scheduler for the live threads of a process, in nanoseconds: the clock of
/// `getProcessCpuTime` advances by 10 ms.
///
/// @param threads the counts by thread id
public record SchedStat(Map<String, Times> threads) {

  /// The times of a thread since its start.
  ///
  /// @param ranNanos the time it ran
  /// @param waitedNanos the time it was ready and waited for a core
  public record Times(long ranNanos, long waitedNanos) {

    private static final Times NONE = new Times(0, 0);

    Times since(Times before) {
      return new Times(ranNanos - before.ranNanos, waitedNanos - before.waitedNanos);
    }
  }

  public static SchedStat of(ProcessHandle process) throws IOException {
    return of(folder(process));
  }

  /// {@return the counts of the compiler threads of a JVM}
  public static SchedStat ofCompilers(ProcessHandle process) throws IOException {
    return of(folder(process), SchedStat::isCompiler);
  }

  private static Path folder(ProcessHandle process) {
    return Path.of("/proc", Long.toString(process.pid()), "task");
  }

  /// {@return the counts of all threads with a subfolder in a folder}
  public static SchedStat of(Path folder) throws IOException {
    return of(folder, name -> true);
  }

  static boolean isCompiler(String name) {
    return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
  }

  /// {@return the counts of the threads with certain names}
  public static SchedStat of(Path folder, Predicate<String> names) throws IOException {
    Map<String, Times> threads = new HashMap<>();
    try (DirectoryStream<Path> each = Files.newDirectoryStream(folder)) {
      for (Path thread : each) {
        try {
          if (!names.test(Files.readString(thread.resolve("comm")).strip())) {
            continue;
          }
          List<String> fields =
              Splitter.on(' ').splitToList(Files.readString(thread.resolve("schedstat")));
          threads.put(
              folder.relativize(thread).toString(),
              new Times(Long.parseLong(fields.get(0)), Long.parseLong(fields.get(1))));
        } catch (IOException e) {
          // the thread has ended meanwhile
        }
      }
    }
    return new SchedStat(threads);
  }

  /// {@return the time that all threads have run since earlier counts}
  public long ranNanosSince(SchedStat before) {
    return threads.keySet().stream().mapToLong(it -> since(before, it).ranNanos).sum();
  }

  /// {@return the time that the busiest thread has run since earlier counts}
  public long busiestRanNanosSince(SchedStat before) {
    return busiestSince(before).ranNanos;
  }

  /// {@return the time that the busiest thread has waited for a core since earlier counts}
  public long waitedNanosSince(SchedStat before) {
    return busiestSince(before).waitedNanos;
  }

  private Times busiestSince(SchedStat before) {
    return threads.keySet().stream()
        .map(it -> since(before, it))
        .max(Comparator.comparingLong(Times::ranNanos))
        .orElse(Times.NONE);
  }

  private Times since(SchedStat before, String thread) {
    return threads
        .getOrDefault(thread, Times.NONE)
        .since(before.threads.getOrDefault(thread, Times.NONE));
  }
}
