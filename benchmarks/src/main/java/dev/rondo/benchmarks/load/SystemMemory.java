package dev.rondo.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// The memory of the system at an instant.
///
/// @param availableBytes the memory that programs could still use
/// @param slabBytes the kernel's own objects
/// @param caches the bytes of each kind of these objects
record SystemMemory(long availableBytes, long slabBytes, Map<String, Long> caches) {

  private static final long KIBI = 1_024;
  private static final int PAGE_BYTES = 4_096;
  private static final int SHOWN = 8;

  // The columns of a line of slabinfo.
  private static final int PAGES_OF_A_SLAB = 5;
  private static final int SLABS = 14;

  static SystemMemory now() throws IOException {
    Map<String, Long> all = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
      String[] fields = line.split(":?\\s+", 0);
      all.put(fields[0], Long.parseLong(fields[1]) * KIBI);
    }
    return new SystemMemory(value(all, "MemAvailable"), value(all, "Slab"), readCaches());
  }

  private static Map<String, Long> readCaches() throws IOException {
    Map<String, Long> made = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("/proc/slabinfo"))) {
      String[] fields = line.split("\\s+", 0);
      if (fields.length > SLABS && fields[PAGES_OF_A_SLAB].matches("\\d+")) {
        long pages = Long.parseLong(fields[PAGES_OF_A_SLAB]) * Long.parseLong(fields[SLABS]);
        made.put(fields[0], pages * PAGE_BYTES);
      }
    }
    return made;
  }

  private static long value(Map<String, Long> all, String name) throws IOException {
    Long bytes = all.get(name);
    if (bytes == null) {
      throw new IOException("/proc/meminfo has no " + name);
    }
    return bytes;
  }

  /// {@return the kinds of objects that take most of the memory since an earlier instant}
  ///
  /// @param per the number of things that share the memory
  String parts(SystemMemory before, long per) {
    return caches.entrySet().stream()
        .map(each ->
            Map.entry(
                each.getKey(),
                (each.getValue() - before.caches.getOrDefault(each.getKey(), 0L)) / per))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(SHOWN)
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }
}
