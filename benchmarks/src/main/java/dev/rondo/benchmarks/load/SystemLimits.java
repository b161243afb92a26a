package dev.rondo.benchmarks.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The limits of Linux for very many connections, which this process raises as `root`, says so, and
/// lowers again when this is closed or the process ends.
final class SystemLimits implements AutoCloseable {

  /// Files beside those of the connections.
  private static final int SPARE = 500;

  private static final String OPEN_FILES = "Max open files";

  private final Map<Path, String> before = new LinkedHashMap<>();
  private final Thread undo = new Thread(this::undo, "undo limits");

  /// @param connections for which there should be room, both ends on this machine
  SystemLimits(int connections) throws IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(undo);
    long files = (long) connections + SPARE;
    raise("fs/nr_open", files);
    raise("fs/file-max", 2 * files);
    raise("net/netfilter/nf_conntrack_max", 2 * files); // if there is a firewall
    if (connections() < connections) {
      raiseOpenFiles("--nofile=" + files + ":" + files);
    }
  }

  private static void raiseOpenFiles(String limit) throws IOException, InterruptedException {
    String self = Long.toString(ProcessHandle.current().pid());
    int code = new ProcessBuilder("prlimit", "--pid", self, limit).inheritIO().start().waitFor();
    System.out.printf(
        "# prlimit %s for this process and the server%s%n",
        limit, code == 0 ? "" : " has failed: it requires CAP_SYS_RESOURCE");
  }

  /// {@return the number of connections for which there is room}
  static int connections() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
      if (line.startsWith(OPEN_FILES)) {
        String files = line.substring(OPEN_FILES.length()).strip();
        return Integer.parseInt(files.substring(0, files.indexOf(' '))) - SPARE;
      }
    }
    throw new IOException("/proc/self/limits has no line: " + OPEN_FILES);
  }

  private void raise(String name, long least) throws IOException {
    Path file = Path.of("/proc/sys", name);
    if (!Files.exists(file)) {
      return;
    }
    String found;
    try (BufferedReader text = Files.newBufferedReader(file)) { // only the first read finds it
      found = Objects.requireNonNull(text.readLine(), name).strip();
    }
    if (Long.parseLong(found) < least) {
      System.out.printf("# %s: %s, raised to %d until the end%n", name, found, least);
      Files.writeString(file, Long.toString(least));
      before.put(file, found);
    }
  }

  private synchronized void undo() {
    before.forEach((file, value) -> {
      try {
        Files.writeString(file, value);
      } catch (IOException e) {
        System.err.printf("%s stays raised; it was %s: %s%n", file, value, e);
      }
    });
    before.clear();
  }

  @Override
  public void close() {
    undo();
    Runtime.getRuntime().removeShutdownHook(undo);
  }
}
