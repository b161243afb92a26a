package dev.rondo.examples;

import com.google.common.base.Splitter;
import dev.rondo.application.Application;
import dev.rondo.cluster.JobRun;
import dev.rondo.cluster.WaitForCluster;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.io.terminal.StandardStreams;
import dev.rondo.time.TickPolicy;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A job that survives a kill of its runner. Three nodes, each a process, agree by etcd on the node
/// that writes the nightly report. etcd has to be installed. A night takes three seconds here. This
/// program kills a node while it writes the second report, and another node writes that report
/// again. In the end the archive has one complete report of each night.
final class NightlyReport {

  private static final List<String> NODES = List.of("anna", "bert", "cleo");
  private static final String ETCD = "etcd";
  private static final Duration NIGHT = Duration.ofSeconds(3);
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PAGE = Duration.ofMillis(300);
  private static final int PAGES = 4;
  private static final int KILLED_IN_NIGHT = 2;
  private static final int NIGHTS = 4;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int LONGEST_LINE_BYTES = 200;

  private final Application app;
  private final Transcript transcript;
  private final Path folder;
  private final Map<String, ChildProcess> processes = new TreeMap<>();
  private final Map<String, String> ports = new TreeMap<>();

  /// The node that has archived the report of each night.
  private final Map<Integer, String> archived = new TreeMap<>();

  private String killed = "";

  private int etcdPort;

  private NightlyReport(Application app, Path folder) {
    this.app = app;
    this.transcript = new Transcript(app);
    this.folder = folder;
  }

  /// Without arguments: the whole demonstration. With a name, a folder, the port of etcd and the
  /// ports of other nodes: a node.
  static void main(String[] args) {
    if (args.length == 0) {
      Path folder = Path.of(System.getProperty("java.io.tmpdir"));
      Application.run(app -> demonstrate(app, folder));
    } else {
      Application.builder()
          .observers(o -> o.watchdog(Duration.ofHours(1)))
          .run(app -> {
            List<String> ports =
                args.length > 3 ? Splitter.on(',').splitToList(args[3]) : List.of();
            join(app, args[0], Path.of(args[1]), Integer.parseInt(args[2]), ports);
          });
    }
  }

  // A node.

  private static void join(Application app, String name, Path folder, int etcd, List<String> others)
      throws IOException {
    ClusterConfig config =
        ClusterConfig.of(name)
            .at(loopback(0))
            .with(others.stream().map(port -> loopback(Integer.parseInt(port))).toList())
            .withEtcd(EtcdServers.local(loopback(etcd)))
            .limited(ClusterLimits.USUAL.with(Time.LEASE, LEASE).with(Time.JOIN, START));
    var cluster = WaitForCluster.on(app.scheduler(), config);
    cluster.join();
    IO.println(cluster.address().orElseThrow().getPort());
    cluster.periodic("nightly report", NIGHT, TickPolicy.SKIP, run -> write(app, run, folder));
    awaitEndOfParent(app);
    app.stop();
  }

  /// The input ends when the parent process ends, for whatever reason.
  private static void awaitEndOfParent(Application app) throws IOException {
    var input = StandardStreams.on(app.scheduler());
    while (input.readLine(LONGEST_LINE_BYTES) != null) {}
  }

  /// Writes a report beside its final place, and moves it there when it is complete.
  private static void write(Application app, JobRun run, Path folder) throws IOException {
    String night = "night %d%s".formatted(run.number(), run.isRepeated() ? " again" : "");
    Path draft = folder.resolve("draft %d".formatted(run.lease().token()));
    Files.writeString(draft, "");
    for (int page = 1; page <= PAGES; page++) {
      IO.println("%s: page %d of %d".formatted(night, page, PAGES));
      app.sleep(PAGE);
      run.lease().check();
      Files.writeString(draft, Files.readString(draft) + "page " + page + "\n");
    }
    Path report = folder.resolve("report of night " + run.number());
    Files.move(draft, report, StandardCopyOption.ATOMIC_MOVE);
    IO.println("%s: archived".formatted(night));
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  // The demonstration.

  /// Runs the whole demonstration in some seconds. Suspends its task.
  ///
  /// @param parent of the folder for the files; the folder is deleted in the end
  /// @return the node that has archived the report of each night
  static Map<Integer, String> demonstrate(Application app, Path parent) throws Exception {
    Path folder = Files.createTempDirectory(parent, "nightly-report-");
    try {
      var demonstration = new NightlyReport(app, folder);
      app.within(LIMIT, demonstration::run);
      return demonstration.archived;
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
      startEtcd();
      for (String each : NODES) {
        start(each);
      }
      app.waitFor(() -> archived.size() >= NIGHTS);
      for (int night = 1; night <= NIGHTS; night++) {
        List<String> pages = Files.readAllLines(folder.resolve("report of night " + night));
        transcript.say("archive", "night %d: %d pages", night, pages.size());
      }
    } finally {
      app.shielded(this::endProcesses);
    }
  }

  /// {@return the program of etcd on a path}
  ///
  /// @throws IOException if it is not there, with the way to install it
  static Path etcd(String path) throws IOException {
    return Splitter.on(File.pathSeparatorChar)
        .splitToStream(path)
        .map(each -> Path.of(each, ETCD))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() ->
            new IOException(
                "etcd is not on the path, and this program needs it: on Debian and Ubuntu run 'apt"
                    + " install etcd-server'; for other systems see"
                    + " https://etcd.io/docs/latest/install"));
  }

  private void startEtcd() throws IOException {
    Path program = etcd(System.getenv("PATH"));
    etcdPort = freePort();
    String clients = "http://127.0.0.1:" + etcdPort;
    String others = "http://127.0.0.1:" + freePort();
    var command =
        new ProcessBuilder(
            program.toString(),
            "--data-dir=" + folder.resolve(ETCD),
            "--listen-client-urls=" + clients,
            "--advertise-client-urls=" + clients,
            "--listen-peer-urls=" + others,
            "--initial-advertise-peer-urls=" + others,
            "--initial-cluster=default=" + others);
    command.redirectError(ProcessBuilder.Redirect.DISCARD);
    processes.put(ETCD, WaitForProcess.on(app.scheduler()).start(command));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void start(String name) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--") || argument.startsWith("-Drondo"))
        .forEach(command::add);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // start sooner
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(NightlyReport.class.getName(), name, folder.toString()));
    command.add(Integer.toString(etcdPort));
    if (!ports.isEmpty()) {
      command.add(String.join(",", ports.values()));
    }
    ChildProcess process =
        WaitForProcess.on(app.scheduler())
            .start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    processes.put(name, process);
    String port = process.output().readLine(LONGEST_LINE_BYTES);
    if (port == null) {
      throw new IOException("node %s did not start: %s".formatted(name, process));
    }
    ports.put(name, port);
    transcript.say("start", "%s: process %d, port %s", name, process.pid(), port);
    app.scheduler().spawn("lines of " + name, () -> readLines(name, process));
  }

  private void readLines(String name, ChildProcess process) throws Exception {
    for (String line; (line = process.output().readLine(LONGEST_LINE_BYTES)) != null; ) {
      transcript.say("periodic", "%s: %s", name, line);
      if (line.endsWith("archived")) {
        archived.put(nightOf(line), name);
      } else if (killed.isEmpty() && line.startsWith("night " + KILLED_IN_NIGHT + ": page 2")) {
        killed = name;
        process.kill();
        process.awaitExit();
        transcript.say("kill", "%s, in the middle of the report", name);
        return;
      }
    }
  }

  private static int nightOf(String line) {
    List<String> words = Splitter.onPattern("[ :]").splitToList(line);
    return Integer.parseInt(words.get(1));
  }

  private void endProcesses() throws IOException {
    for (ChildProcess each : processes.values()) {
      each.kill();
      each.awaitExit(); // after that it writes no file
      each.close();
    }
  }
}
