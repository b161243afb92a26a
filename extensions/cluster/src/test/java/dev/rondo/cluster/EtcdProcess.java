package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A server of etcd on loopback, in a process of the test: the only one, or one of three. Tests are
/// skipped where `etcd` or `etcdctl` is not installed, but not in the nightly build.
final class EtcdProcess implements AutoCloseable {

  private static final String REQUIRED = "rondo.test.etcd.required";

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

  private String state = "new";

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
    requireInstalled("etcd", "--version");
    this.folder = Files.createDirectories(folder);
    this.name = name;
    this.options = options;
    this.port = freePort();
    this.peers = peers;
    this.servers = servers;
  }

  /// Starts three servers of one etcd.
  static List<EtcdProcess> three(Path folder) throws Exception {
    return three(folder, List.of());
  }

  /// Starts three that have the certificate of a name, and demand that of another one.
  static List<EtcdProcess> threeSecured(Path folder, String name, String client) throws Exception {
    return three(folder, tls(folder, name, client));
  }

  private static List<EtcdProcess> three(Path folder, List<String> options) throws Exception {
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
              folder.resolve(each.getKey()), each.getKey(), each.getValue(), all, options));
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
    return new EtcdProcess(folder, tls(folder, name, client));
  }

  static List<String> tls(Path folder, String name, String client) throws Exception {
    return List.of(
        "--cert-file=" + pem(folder, name),
        "--key-file=" + pem(folder, name),
        "--client-cert-auth",
        "--trusted-ca-file=" + certificate(folder, client));
  }

  private static Path pem(Path folder, String name) throws Exception {
    Path file = folder.resolve(name + ".pem");
    Certificates.writePem(name, file);
    return file;
  }

  private static Path certificate(Path folder, String name) throws Exception {
    byte[] certificate = Certificates.certificate(name).getEncoded();
    return Files.write(
        folder.resolve(name + "-certificate.pem"),
        List.of(
            "-----BEGIN CERTIFICATE-----",
            Base64.getMimeEncoder().encodeToString(certificate),
            "-----END CERTIFICATE-----"));
  }

  /// {@return the options by which `etcdctl` reaches one that is secured}
  static String[] controlsSecured(Path folder, String name, String client) throws Exception {
    Path own = pem(folder, client);
    return new String[] {"--cacert=" + certificate(folder, name), "--cert=" + own, "--key=" + own};
  }

  /// Skips the test if a program is not installed. Where etcd is required, the test fails instead.
  private static void requireInstalled(String program, String version) throws InterruptedException {
    try {
      assertEquals(0, run(program, version));
    } catch (IOException e) {
      String missing =
          program + " is not installed: this test needs it; Debian has etcd-server and etcd-client";
      assertFalse(Boolean.getBoolean(REQUIRED), missing);
      abort(missing);
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return run(new ProcessBuilder(command));
  }

  private static int run(ProcessBuilder command) throws IOException, InterruptedException {
    return command
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
                "--initial-cluster-state=" + state,
                "--bcrypt-cost=4",
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
    var _ = output(command);
  }

  private ProcessBuilder controlling(String... command) throws InterruptedException {
    requireInstalled("etcdctl", "version");
    var builder =
        new ProcessBuilder(
            "etcdctl",
            "--endpoints=127.0.0.1:" + port,
            "--dial-timeout=60s",
            "--command-timeout=60s");
    builder.command().addAll(List.of(command));
    return builder.redirectErrorStream(true);
  }

  private String output(String... command) throws Exception {
    Process running = controlling(command).start();
    String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, running.waitFor(), () -> String.join(" ", command) + ": " + said);
    return said;
  }

  /// Is lost with its folder, and replaced as the page for operators says.
  ///
  /// @param other a server that is there
  /// @param options of `etcdctl`
  void replace(EtcdProcess other, String... options) throws Exception {
    kill();
    Path data = folder.resolve("etcd");
    var _ = Files.move(data, folder.resolve("lost"));
    String id =
        other
            .output(with(options, "member", "list"))
            .lines()
            .filter(each -> each.contains(", " + name + ", "))
            .map(each -> each.substring(0, each.indexOf(',')))
            .findFirst()
            .orElseThrow();
    other.change(with(options, "member", "remove", id));
    other.change(with(options, "member", "add", name, "--peer-urls=http://127.0.0.1:" + peers));
    state = "existing";
    start();
  }

  /// Its members can be changed when the others have been there for 5 s.
  private void change(String... command) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
    while (run(controlling(command)) != 0) {
      assertTrue(System.nanoTime() - end < 0, () -> String.join(" ", command));
    }
  }

  private static String[] with(String[] options, String... command) {
    return Stream.of(options, command).flatMap(Stream::of).toArray(String[]::new);
  }

  /// Is lost with its folder, and starts with what a file of `etcdctl snapshot save` has.
  void restore(Path saved) throws Exception {
    kill();
    Path data = folder.resolve("etcd");
    var _ = Files.move(data, folder.resolve("lost"));
    control(
        "snapshot",
        "restore",
        saved.toString(),
        "--name=" + name,
        "--data-dir=" + data,
        "--initial-cluster=" + name + "=" + DEFAULT_PEER,
        "--initial-cluster-token=restored",
        "--initial-advertise-peer-urls=" + DEFAULT_PEER);
    start();
  }

  /// Has it forget all but the present values.
  void compact() throws Exception {
    String shown = output("get", "x", "-w", "json");
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
