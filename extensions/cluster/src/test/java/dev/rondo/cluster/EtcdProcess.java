package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.scheduler.testing.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A server of etcd on loopback, in a process of the test: the only one, or one of three. Tests are
/// skipped where `etcd` is not installed.
final class EtcdProcess implements AutoCloseable {

  private static final int HANG_SECONDS = 60;

  /// As all servers have it that are started without options, from which etcd makes its identity.
  private static final String DEFAULT_PEER = "http://localhost:2380";

  private final Path folder;
  private final int port;
  private final int peers;

  private final String name;

  /// All servers, and where they talk to each other; empty for one server.
  private final String servers;

  /// Of TLS and of space.
  private final List<String> options;

  private @Nullable Process process;

  EtcdProcess(Path folder) throws Exception {
    this(folder, List.of());
  }

  private EtcdProcess(Path folder, List<String> options) throws Exception {
    this(folder, "test", freePort(), "", options);
    start();
  }

  private EtcdProcess(Path folder, String name, int peers, String servers, List<String> options)
      throws Exception {
    assumeTrue(isInstalled(), "etcd is not installed: this test needs it");
    this.folder = Files.createDirectories(folder);
    this.name = name;
    this.options = options;
    this.port = freePort();
    this.peers = peers;
    this.servers = servers;
  }

  /// Starts three servers of one etcd.
  static List<EtcdProcess> three(Path folder) throws Exception {
    Map<String, Integer> peers = new LinkedHashMap<>();
    for (String each : List.of("one", "two", "three")) {
      peers.put(each, freePort());
    }
    String all =
        peers.entrySet().stream()
            .map(each -> each.getKey() + "=http://127.0.0.1:" + each.getValue())
            .collect(Collectors.joining(","));
    List<EtcdProcess> made = new ArrayList<>();
    for (Map.Entry<String, Integer> each : peers.entrySet()) {
      made.add(
          new EtcdProcess(
              folder.resolve(each.getKey()), each.getKey(), each.getValue(), all, List.of()));
    }
    for (EtcdProcess each : made) {
      each.begin();
    }
    for (EtcdProcess each : made) {
      each.awaitStarted();
    }
    return made;
  }

  /// Starts one whose data may have so many bytes.
  static EtcdProcess withSpace(Path folder, long bytes) throws Exception {
    return new EtcdProcess(folder, List.of("--quota-backend-bytes=" + bytes));
  }

  /// Starts one that has the certificate of a name, and demands that of another one.
  static EtcdProcess secured(Path folder, String name, String client) throws Exception {
    Path own = folder.resolve("own.pem");
    Certificates.writePem(name, own);
    Path trusted = folder.resolve("trusted.pem");
    byte[] certificate = Certificates.certificate(client).getEncoded();
    Files.write(
        trusted,
        List.of(
            "-----BEGIN CERTIFICATE-----",
            Base64.getMimeEncoder().encodeToString(certificate),
            "-----END CERTIFICATE-----"));
    return new EtcdProcess(
        folder,
        List.of(
            "--cert-file=" + own,
            "--key-file=" + own,
            "--client-cert-auth",
            "--trusted-ca-file=" + trusted));
  }

  private static boolean isInstalled() throws InterruptedException {
    try {
      return run("etcd", "--version") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
  }

  EtcdServers servers() {
    return EtcdServers.local(address());
  }

  /// Starts it, with what it had; returns when it accepts connections.
  void start() throws Exception {
    begin();
    awaitStarted();
  }

  private void begin() throws IOException {
    boolean secured = options.stream().anyMatch(each -> each.startsWith("--cert-file"));
    String clients = (secured ? "https" : "http") + "://127.0.0.1:" + port;
    String others = "http://127.0.0.1:" + peers;
    String advertised = servers.isEmpty() ? DEFAULT_PEER : others;
    var command =
        new ArrayList<>(
            List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + others,
                "--initial-advertise-peer-urls=" + advertised,
                "--initial-cluster=" + (servers.isEmpty() ? name + "=" + advertised : servers),
                "--logger=zap",
                "--log-level=error"));
    command.addAll(options);
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("etcd.txt").toFile())
            .start();
  }

  private void awaitStarted() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
    while (!accepts()) {
      assertTrue(System.nanoTime() - end < 0, "etcd does not start");
      assertTrue(!process().waitFor(20, TimeUnit.MILLISECONDS), "etcd has ended");
    }
  }

  private boolean accepts() {
    try (var socket = new Socket()) {
      socket.connect(address());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Has it stand still, or go on.
  void signal(String signal) throws Exception {
    assertEquals(0, run("kill", "-" + signal, Long.toString(process().pid())));
  }

  private Process process() {
    if (process == null) {
      throw new IllegalStateException("it has not started");
    }
    return process;
  }

  /// Runs a command of `etcdctl`.
  void control(String... command) throws Exception {
    var builder =
        new ProcessBuilder(
            "etcdctl",
            "--endpoints=127.0.0.1:" + port,
            "--dial-timeout=60s",
            "--command-timeout=60s");
    builder.command().addAll(List.of(command));
    assertEquals(0, builder.redirectErrorStream(true).start().waitFor(), String.join(" ", command));
  }

  /// Has it forget all but the present values.
  void compact() throws Exception {
    Process get =
        new ProcessBuilder("etcdctl", "--endpoints=127.0.0.1:" + port, "get", "x", "-w", "json")
            .start();
    String shown = new String(get.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher revision = Pattern.compile("\"revision\":([0-9]+)").matcher(shown);
    assertTrue(revision.find(), shown);
    control("compact", revision.group(1));
  }

  /// Kills it at once.
  void kill() {
    Process _ = process().destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    if (process != null) {
      kill();
    }
  }
}
