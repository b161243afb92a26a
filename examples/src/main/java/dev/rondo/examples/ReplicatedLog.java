package dev.rondo.examples;

import com.google.common.base.Splitter;
import dev.rondo.application.Application;
import dev.rondo.examples.replicatedlog.Client;
import dev.rondo.examples.replicatedlog.Members;
import dev.rondo.examples.replicatedlog.Replica;
import dev.rondo.examples.replicatedlog.Settings;
import dev.rondo.io.TcpListener;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.io.terminal.StandardStreams;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;

/// A replicated key-value store that survives the loss of its leader: three processes with a
/// [Replica] each, over TCP on loopback, with their logs in files. This program writes to them,
/// kills the leader with SIGKILL while it writes, starts it again, kills the next leader, and reads
/// everything back. One of the two remaining replicas is then the replica that was dead before.
final class ReplicatedLog {

  private static final int REPLICAS = 3;
  private static final int LONGEST_LINE_BYTES = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration WHILE = Duration.ofSeconds(1);

  private final Application app;
  private final Transcript transcript;
  private final Path folder;
  private final Map<Integer, SocketAddress> addresses = new TreeMap<>();
  private final Map<Integer, ChildProcess> processes = new TreeMap<>();
  private int acknowledged;
  private Duration longestGap = Duration.ZERO;

  private ReplicatedLog(Application app, Path folder) {
    this.app = app;
    this.transcript = new Transcript(app);
    this.folder = folder;
  }

  /// Without arguments: the whole demonstration. With a number, a folder and a port: a single
  /// replica.
  static void main(String[] args) {
    if (args.length == 0) {
      Path folder = Path.of(System.getProperty("java.io.tmpdir"));
      Application.run(app -> demonstrate(app, folder));
    } else {
      Application.builder()
          .observers(o ->
              o.watchdog(Duration.ofHours(1))) // the loop waits for the disk, however slow that is
          .run(app ->
              replicate(
                  app, Integer.parseInt(args[0]), Path.of(args[1]), Integer.parseInt(args[2])));
    }
  }

  // One replica.

  /// Prints its port, reads the ports of the other replicas, and runs until its input ends. The
  /// input ends when the parent process ends, for whatever reason.
  private static void replicate(Application app, int self, Path folder, int port)
      throws IOException {
    TcpListener listener = app.io().listen(loopback(port));
    IO.println(listener.port());
    var input = StandardStreams.on(app.scheduler());
    String ports = input.readLine(LONGEST_LINE_BYTES);
    if (ports == null) {
      return;
    }
    app.spawn(
        "parent",
        () -> {
          while (input.readLine(LONGEST_LINE_BYTES) != null) {}
          app.stop();
        });
    Map<Integer, SocketAddress> addresses = new TreeMap<>();
    for (String each : Splitter.on(' ').split(ports)) {
      addresses.put(addresses.size() + 1, loopback(Integer.parseInt(each)));
    }
    Replica.run(
        app.scheduler(),
        self,
        new Members(addresses),
        Settings.DEFAULT,
        folder,
        listener,
        new Random());
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  // The demonstration.

  /// Runs the whole demonstration in some seconds. Suspends its task.
  ///
  /// @param parent of the folder for the files; the folder is deleted in the end
  /// @return the number of acknowledged writes, of which none is lost
  static int demonstrate(Application app, Path parent) throws Exception {
    Path folder = Files.createTempDirectory(parent, "replicated-log-");
    try {
      var demonstration = new ReplicatedLog(app, folder);
      app.within(LIMIT, demonstration::run);
      return demonstration.acknowledged;
    } finally {
      deleteAll(folder);
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    List<Path> paths;
    try (var walk = Files.walk(folder)) {
      paths = walk.collect(Collectors.toCollection(ArrayList::new));
    }
    for (Path each : paths.reversed()) {
      Files.delete(each);
    }
  }

  private void run() throws Exception {
    try {
      var starts = app.<Void>newGroup("starts");
      starts.run(() -> {
        for (int number = 1; number <= REPLICAS; number++) {
          int each = number;
          starts.spawn("start " + each, () -> start(each, 0));
        }
      });
      for (int number = 1; number <= REPLICAS; number++) {
        introduce(number);
      }
      try (var client =
          new Client(app.scheduler(), new Members(addresses), PATIENCE, new SplittableRandom())) {
        writeAndKillTheLeaders(client);
        readBack(client);
      }
    } finally {
      app.shielded(this::endProcesses);
    }
  }

  private void endProcesses() throws IOException {
    for (ChildProcess each : processes.values()) {
      each.kill();
      each.awaitExit(); // after that it writes no file
      each.close();
    }
  }

  private void writeAndKillTheLeaders(Client client) throws Exception {
    client.put("begun", "yes");
    transcript.say("elect", "replica %d leads", client.leader());
    var writer = app.spawn("writer", () -> write(client));
    app.sleep(WHILE);
    int first = kill(client);
    app.sleep(WHILE);
    int port = ((InetSocketAddress) Objects.requireNonNull(addresses.get(first))).getPort();
    start(first, port);
    introduce(first);
    app.sleep(WHILE);
    kill(client);
    app.sleep(WHILE);
    writer.cancel("enough");
    try {
      writer.join();
    } catch (CancellationException _) {
      // as it should be
    }
  }

  /// Kills the leader, and waits until there is another leader.
  private int kill(Client client) throws Exception {
    int leader = client.leader();
    int before = acknowledged;
    longestGap = Duration.ZERO;
    ChildProcess process = Objects.requireNonNull(processes.get(leader));
    process.kill();
    process.awaitExit();
    process.close();
    transcript.say("kill", "replica %d, the leader, after %,d writes", leader, before);
    app.waitFor(() -> client.leader() != leader && acknowledged > before + 1);
    transcript.say(
        "elect",
        "replica %d leads; nothing was written for %d ms",
        client.leader(),
        longestGap.toMillis());
    return leader;
  }

  private void write(Client client) throws IOException {
    while (true) {
      Duration begin = app.runningTime();
      client.put("key " + acknowledged, "value " + acknowledged);
      acknowledged++;
      Duration gap = app.runningTime().minus(begin);
      longestGap = gap.compareTo(longestGap) > 0 ? gap : longestGap;
    }
  }

  private void readBack(Client client) throws IOException {
    int lost = 0;
    for (int i = 0; i < acknowledged; i++) {
      if (!("value " + i).equals(client.get("key " + i))) {
        lost++;
      }
    }
    transcript.say("read", "%,d acknowledged writes, %d of them lost", acknowledged, lost);
    if (lost > 0) {
      throw new IllegalStateException(lost + " acknowledged writes are lost");
    }
  }

  // Processes.

  /// @param port to listen on; 0 for any
  private void start(int number, int port) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--") || argument.startsWith("-Drondo"))
        .forEach(command::add);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // start sooner
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ReplicatedLog.class.getName());
    command.addAll(List.of("" + number, folder.resolve("" + number).toString(), "" + port));
    ChildProcess process =
        WaitForProcess.on(app.scheduler())
            .start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    processes.put(number, process);
    String line = process.output().readLine(LONGEST_LINE_BYTES);
    if (line == null) {
      throw new IOException("replica %d did not start: %s".formatted(number, process));
    }
    addresses.put(number, loopback(Integer.parseInt(line)));
    transcript.say("start", "replica %d: process %d, port %s", number, process.pid(), line);
  }

  /// Tells a replica the addresses of all replicas.
  private void introduce(int number) throws IOException {
    String ports =
        addresses.values().stream()
            .map(address -> "" + ((InetSocketAddress) address).getPort())
            .collect(Collectors.joining(" "));
    ChildProcess process = Objects.requireNonNull(processes.get(number));
    process.input().write(ports + "\n");
  }
}
