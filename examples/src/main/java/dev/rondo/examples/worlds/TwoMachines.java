package dev.rondo.examples.worlds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import dev.rondo.io.TcpListener;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.DiskOperation;
import dev.rondo.simulation.SimulatedDisk;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedLatency;
import dev.rondo.simulation.SimulatedLinks;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.simulation.SimulatedPacket;
import dev.rondo.simulation.SimulatedProxy;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// A network and a disk by hand, without a world: the time of a letter on many kinds of roads, and
/// the fate of lines in a file when the medium fails, is full, or loses its power.
final class TwoMachines {

  private static final long SEED = 3;
  private static final int PORT = 25;
  private static final int LETTER_BYTES = 20_000;
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofMillis(300);

  private final Consumer<String> out;

  private TwoMachines(Consumer<String> out) {
    this.out = out;
  }

  static void main() throws IOException {
    run(IO::println);
  }

  static void run(Consumer<String> out) throws IOException {
    var machines = new TwoMachines(out);
    machines.letters();
    machines.postcards();
    machines.port();
    machines.disk();
  }

  // Links.

  private void letters() throws IOException {
    letter("near", links -> links);
    letter("far", links -> links.latency(LONG));
    letter("even", links -> links.latency(SimulatedLatency.uniform(SHORT, LONG)));
    letter("bell", links -> links.latency(SimulatedLatency.normal(LONG, SHORT)));
    letter("tail", links -> links.latency(SimulatedLatency.exponential(SHORT, LONG)));
    letter("thin", links -> links.bandwidth(10_000).queue(5_000));
    letter("in pieces", links -> links.splitting(1));
    letter("cut and healed", links -> links.cut().heal());
    letter("held and released", links -> links.hold().heal());
  }

  /// Sends a letter, and prints the time that it takes. A blocking channel lets the time of its
  /// network pass.
  private void letter(String road, UnaryOperator<SimulatedLinks> settings) throws IOException {
    SimulatedNetwork network = new SimulatedNetwork().random(new Random(SEED));
    SimulatedHost berlin = network.host("berlin", "10.0.0.1");
    SimulatedHost paris = network.host("paris", "10.0.0.2");
    SimulatedLinks _ = settings.apply(network.link(berlin, paris).latency(SHORT));
    try (ServerSocketChannel office = paris.provider().openServerSocketChannel();
        SocketChannel sender = berlin.provider().openSocketChannel()) {
      office.bind(at(paris));
      sender.connect(at(paris));
      try (SocketChannel receiver = office.accept()) {
        ByteBuffer letter = ByteBuffer.allocate(LETTER_BYTES);
        while (letter.hasRemaining()) {
          sender.write(letter);
        }
        sender.shutdownOutput();
        letter.clear();
        while (receiver.read(letter) > 0) {
          // more is to come
        }
      }
    }
    out.accept("a letter, %s: %d ms".formatted(road, network.elapsed().toMillis()));
  }

  private static InetSocketAddress at(SimulatedHost host) {
    return new InetSocketAddress(host.addresses().getFirst(), PORT);
  }

  /// Of three postcards one is lost, one is late, and one comes twice.
  private void postcards() throws IOException {
    var network = new SimulatedNetwork();
    SimulatedHost berlin = network.host("berlin", "10.0.0.1");
    SimulatedHost paris = network.host("paris", "10.0.0.2");
    SimulatedLinks _ = network.link(berlin, paris).proxy(this::sort);
    try (DatagramChannel sender = berlin.provider().openDatagramChannel();
        DatagramChannel receiver = paris.provider().openDatagramChannel()) {
      sender.bind(at(berlin));
      receiver.bind(at(paris));
      receiver.configureBlocking(false);
      for (String card : new String[] {"lost", "late", "twice"}) {
        sender.send(UTF_8.encode(card), at(paris));
      }
      network.advanceBy(SHORT);
      out.accept("soon there are " + cards(receiver));
      while (network.advance()) {
        out.accept(
            "then, after %d ms, %s".formatted(network.elapsed().toMillis(), cards(receiver)));
      }
    }
  }

  private List<Duration> sort(SimulatedPacket packet) {
    String card = UTF_8.decode(packet.data()).toString();
    out.accept(
        "%s from %d to %d: %s"
            .formatted(packet.kind(), packet.source().getPort(), packet.target().getPort(), card));
    return switch (card) {
      case "lost" -> SimulatedProxy.DROP;
      case "late" -> List.of(LONG);
      default -> List.of(Duration.ZERO, Duration.ZERO);
    };
  }

  private static int cards(DatagramChannel channel) throws IOException {
    int count = 0;
    while (channel.receive(ByteBuffer.allocate(10)) != null) {
      count++;
    }
    return count;
  }

  /// A scheduler runs on a host whose program may open few files.
  private void port() {
    var clock = new VirtualClock();
    SimulatedHost host = SimulatedNetwork.on(clock).host("rome", "10.0.0.3");
    try (Scheduler scheduler = clock.scheduler(Scheduler.builder())) {
      WaitForIO io = host.install(scheduler);
      SimulatedHost _ = host.maxDescriptors(host.openDescriptors());
      scheduler.spawn("port", () -> listen(io, host));
      scheduler.start();
    }
  }

  private void listen(WaitForIO io, SimulatedHost host) {
    try (TcpListener listener = io.listen(at(host))) {
      out.accept("open: " + listener);
    } catch (IOException e) {
      out.accept("rome: " + e.getMessage());
    }
  }

  // A disk.

  private void disk() throws IOException {
    var disk = new SimulatedDisk(new Random(SEED)).latency(SHORT, LONG);
    Path file = disk.path("/lines");
    try (FileChannel lines = FileChannel.open(file, CREATE, APPEND)) {
      out.accept("files open: " + disk.openFiles());
      disk.sync();
      lines.write(UTF_8.encode("forced\n"));
      lines.force(true);
      try {
        SimulatedDisk _ = disk.failNth(DiskOperation.WRITE, "/lines", 1);
        lines.write(UTF_8.encode("never\n"));
      } catch (IOException e) {
        out.accept("a medium that fails: " + e.getMessage());
      }
      SimulatedDisk _ = disk.noFailures().capacity(0);
      try {
        Path _ = Files.writeString(disk.path("/more"), "no room");
      } catch (IOException e) {
        out.accept("a full disk: " + e.getMessage());
      }
      SimulatedDisk _ = disk.capacity(Long.MAX_VALUE);
      lines.write(UTF_8.encode("hoped for\n"));
      disk.powerLost();
    }
    out.accept("after the power failure: " + Files.readString(file).lines().toList());
  }
}
