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

/// What Linux's scheduler has counted of a process's threads that live, to the nanosecond: the
/// clock of `getProcessCpuTime` goes by 10 ms.
///
/// @param threads by their number
record SchedStat(Map<String, Times> threads) {

  /// What a thread did since its start.
  ///
  /// @param ranNanos on a core
  /// @param waitedNanos for one, while it could have run
  record Times(long ranNanos, long waitedNanos) {

    private static final Times NONE = new Times(0, 0);

    Times since(Times before) {
      return new Times(ranNanos - before.ranNanos, waitedNanos - before.waitedNanos);
    }
  }

  static SchedStat of(ProcessHandle process) throws IOException {
    return of(Path.of("/proc", Long.toString(process.pid()), "task"));
  }

  /// {@return what is in a folder with one folder for each thread}
  static SchedStat of(Path folder) throws IOException {
    Map<String, Times> threads = new HashMap<>();
    try (DirectoryStream<Path> each = Files.newDirectoryStream(folder)) {
      for (Path thread : each) {
        try {
          List<String> fields =
              Splitter.on(' ').splitToList(Files.readString(thread.resolve("schedstat")));
          threads.put(
              folder.relativize(thread).toString(),
              new Times(Long.parseLong(fields.get(0)), Long.parseLong(fields.get(1))));
        } catch (IOException e) {
          // The thread has ended meanwhile.
        }
      }
    }
    return new SchedStat(threads);
  }

  /// {@return how long all threads have run since then}
  long ranNanosSince(SchedStat before) {
    return threads.keySet().stream().mapToLong(it -> since(before, it).ranNanos).sum();
  }

  /// {@return how long the thread that has run most since then has waited for a core meanwhile}
  long waitedNanosSince(SchedStat before) {
    return threads.keySet().stream()
        .map(it -> since(before, it))
        .max(Comparator.comparingLong(Times::ranNanos))
        .orElse(Times.NONE)
        .waitedNanos;
  }

  private Times since(SchedStat before, String thread) {
    return threads
        .getOrDefault(thread, Times.NONE)
        .since(before.threads.getOrDefault(thread, Times.NONE));
  }
}
