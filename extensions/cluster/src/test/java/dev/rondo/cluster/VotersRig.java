package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Nodes with processes of their own, each a [LeaseProcess], and the etcd by which they agree.
@Execution(ExecutionMode.CONCURRENT)
abstract class VotersRig {

  /// What takes longer hangs.
  static final int HANG_SECONDS = 200;

  private static final AtomicInteger NETWORKS = new AtomicInteger();

  /// Tests run beside each other, also of other builds on this machine.
  private final String network =
      "127.%d.%d"
          .formatted(1 + ProcessHandle.current().pid() % 254, 1 + NETWORKS.getAndIncrement() % 254);

  @TempDir Path folder;
  EtcdProcess etcd;
  private String etcds = "";
  final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /// All that processes print, in the order in which it arrives here.
  final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();

  /// One for each process that was started.
  private final List<Thread> readers = new ArrayList<>();

  private final List<String> failures = new ArrayList<>();

  record Line(String node, String text, long nanos) {}

  record Node(String name, Process process, BufferedWriter in) {

    void tell(String line) throws IOException {
      in.write(line + "\n");
      in.flush();
    }

    void signal(String signal) throws Exception {
      Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
      assertEquals(0, kill.waitFor());
    }
  }

  /// Starts etcd and nodes, and waits until all have joined.
  void startAll(String... names) throws Exception {
    etcds = startEtcd();
    for (String each : names) {
      try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        ports.put(each, socket.getLocalPort());
      }
    }
    for (String each : names) {
      start(each);
    }
    for (int left = names.length; left > 0; left--) {
      var _ = await("joined");
    }
  }

  /// {@return the addresses of the servers by which they agree}
  String startEtcd() throws Exception {
    etcd = new EtcdProcess(folder);
    return "127.0.0.1:" + etcd.address().getPort();
  }

  /// The address of a voter. Where the system has more than one loopback address, each voter of
  /// each test has one of its own: otherwise another connection may be given the port of a voter
  /// that has been killed, and it could not come back.
  String host(String name) {
    return System.getProperty("os.name").equals("Linux")
        ? network + "." + (1 + name.charAt(0) - 'a')
        : InetAddress.getLoopbackAddress().getHostAddress();
  }

  /// What is put before the command that starts a voter.
  List<String> prefix(String name) {
    return List.of();
  }

  /// Options of its virtual machine.
  List<String> options() {
    return List.of();
  }

  /// More arguments of its program.
  List<String> arguments() {
    return List.of();
  }

  Node start(String name) throws IOException {
    String voters =
        ports.entrySet().stream()
            .map(each -> each.getKey() + "=" + host(each.getKey()) + ":" + each.getValue())
            .collect(Collectors.joining(","));
    var command = new ArrayList<String>(prefix(name));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
            "-cp",
            System.getProperty("java.class.path"),
            LeaseProcess.class.getName(),
            name,
            voters,
            etcds));
    command.addAll(arguments());
    Process process =
        new ProcessBuilder(command)
            .redirectError(
                ProcessBuilder.Redirect.appendTo(new File("target", "lease-" + name + ".txt")))
            .start();
    var node = new Node(name, process, process.outputWriter());
    nodes.put(name, node);
    readers.add(Thread.ofPlatform().daemon().name(name).start(() -> read(node)));
    return node;
  }

  private void read(Node node) {
    try (var out = node.process().inputReader()) {
      for (String line; (line = out.readLine()) != null; ) {
        lines.add(new Line(node.name(), line, System.nanoTime()));
      }
    } catch (IOException e) {
      // It was killed.
    }
  }

  void kill(Collection<String> names) throws Exception {
    for (String each : names) {
      node(each).signal("KILL");
    }
    for (String each : names) {
      awaitEnd(each);
    }
  }

  /// Waits until a process has ended.
  void awaitEnd(String name) throws InterruptedException {
    assertTrue(node(name).process().waitFor(HANG_SECONDS, TimeUnit.SECONDS), name);
  }

  /// Kills all processes, and waits until all that they have printed is in `lines`.
  void killAllAndRead() throws Exception {
    kill(nodes.keySet());
    for (Thread each : readers) {
      assertTrue(each.join(Duration.ofSeconds(HANG_SECONDS)), each::toString);
    }
  }

  Node node(String name) {
    return nodes.get(name);
  }

  Line next() throws InterruptedException {
    Line line = lines.poll(HANG_SECONDS, TimeUnit.SECONDS);
    assertTrue(line != null, () -> "no process prints anything; " + failures);
    if (line.text().startsWith("failed ")) {
      failures.add(line.toString());
    }
    return line;
  }

  Line await(String start) throws InterruptedException {
    long begin = System.nanoTime();
    Line line;
    do {
      line = next();
      assertTrue(
          System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(HANG_SECONDS),
          () -> "no process prints '" + start + "'; " + failures);
    } while (!line.text().startsWith(start));
    return line;
  }

  static long number(Line line) {
    return Long.parseLong(line.text().substring(line.text().indexOf(' ') + 1));
  }

  /// Runs a command of the system, and returns how it has ended.
  static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Node each : nodes.values()) {
      var _ = each.process().destroyForcibly();
      assertTrue(each.process().waitFor(HANG_SECONDS, TimeUnit.SECONDS));
    }
    if (etcd != null) {
      etcd.close();
    }
  }
}
