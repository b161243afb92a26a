package dev.rondo.benchmarks.world;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.UdpSocket;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.simulation.DiskOperation;
import dev.rondo.simulation.SimulatedDisk;
import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedLatency;
import dev.rondo.simulation.SimulatedProxy;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import javax.net.ssl.SSLContext;

/// Five hosts that call each other over TCP and TLS, answer after a write to a disk, and send each
/// other datagrams, while links lose, repeat and delay packets, the network is parted and healed,
/// hosts crash, lose power and pause, and disks fail. All events are recorded, with each byte that
/// a link carries, to compare two runs of one seed.
final class MixedWorkload {

  private static final int HOSTS = 5;
  private static final int CLIENTS_OF_A_HOST = 2;
  private static final int PORT = 7;
  private static final int TLS_PORT = 8;

  /// A handshake costs as much as a hundred calls without a handshake.
  private static final int CALLS_FOR_ONE_OVER_TLS = 50;

  private static final int FAULTS = 8;
  private static final double LOSS = 0.02;
  private static final double DUPLICATION = 0.01;
  private static final double DISK_FAILURES = 0.01;
  private static final Duration LATENCY = Duration.ofNanos(100_000);
  private static final Duration JITTER = Duration.ofMillis(2);
  private static final Duration THINKING = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Duration MOST_BETWEEN_FAULTS = Duration.ofMillis(100);

  private enum Fault {
    PARTITION,
    CUT_ONE_WAY,
    HOLD,
    HEAL,
    CRASH,
    POWER_OFF,
    PAUSE
  }

  private final World world;
  private final InetSocketAddress[] members = new InetSocketAddress[HOSTS];
  private final List<String> trace = new ArrayList<>();

  /// The checksum of all bytes between hosts.
  private final CRC32C sent = new CRC32C();

  private MixedWorkload(World world) {
    this.world = world;
  }

  /// {@return the events in their order, each with an instant and a host}
  ///
  /// @param seed of the world
  static List<String> trace(long seed) {
    try (World world = World.withSeed(seed)) {
      var workload = new MixedWorkload(world);
      workload.start();
      workload.disturb();
      workload.note("test", "digest " + world.digest() + " " + workload.sent.getValue());
      return workload.trace;
    }
  }

  private void note(String host, String what) {
    trace.add(world.elapsed().toNanos() + " " + host + " " + what);
  }

  private static Duration upTo(Duration most, RandomGenerator random) {
    return Duration.ofNanos(random.nextLong(most.toNanos()));
  }

  // The hosts.

  private void start() {
    var _ =
        world
            .network()
            .links()
            .latency(SimulatedLatency.uniform(LATENCY, LATENCY.plus(JITTER)))
            .loss(LOSS)
            .duplication(DUPLICATION)
            .proxy(packet -> {
              sent.update(packet.data());
              return SimulatedProxy.SEND;
            });
    for (int i = 0; i < HOSTS; i++) {
      int number = i;
      WorldHost host = world.host("host-" + i, it -> main(it, number));
      members[i] = new InetSocketAddress(host.address(), PORT);
    }
  }

  private void main(WorldHost host, int number) throws IOException {
    Application app = host.application();
    for (int i = 0; i < CLIENTS_OF_A_HOST; i++) {
      app.spawn(() -> callOthers(host, number));
    }
    app.spawn(() -> sendDatagrams(host, number));
    SimulatedDisk disk = host.disk().failures(DiskOperation.FORCE, "**", DISK_FAILURES);
    try (FileChannel file =
        FileChannel.open(disk.path("/log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      host.disk().sync();
      app.spawn(() -> serve(host, number, TLS_PORT, file));
      serve(host, number, PORT, file);
    }
  }

  private InetSocketAddress address(int number, int port) {
    return new InetSocketAddress(members[number].getAddress(), port);
  }

  private void serve(WorldHost host, int number, int port, FileChannel file) throws IOException {
    Application app = host.application();
    SSLContext context = FixedTls.context(host.random());
    try (TcpListener listener = app.io().listen(address(number, port))) {
      while (true) {
        TcpSocket peer = listener.accept();
        ByteChannel channel =
            port == TLS_PORT ? new TlsServer(app.scheduler(), context).over(peer) : peer;
        app.spawn(() -> answer(host, channel, file));
      }
    }
  }

  private void answer(WorldHost host, ByteChannel peer, FileChannel file) {
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
    try (peer) {
      readFully(peer, buffer);
      file.write(buffer.flip());
      file.force(true);
      host.application().sleep(upTo(THINKING, host.random()));
      peer.write(buffer.flip());
    } catch (IOException e) {
      note(host.name(), e.toString());
    }
  }

  private static void readFully(ByteChannel from, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (from.read(buffer) < 0) {
        throw new EOFException();
      }
    }
  }

  private void callOthers(WorldHost host, int number) {
    Application app = host.application();
    TlsClient tls = new TlsClient(app.scheduler(), FixedTls.context(host.random()));
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
    while (true) {
      app.sleep(upTo(THINKING, host.random()));
      int other = (number + 1 + host.random().nextInt(HOSTS - 1)) % HOSTS;
      long question = host.random().nextLong();
      int port = host.random().nextInt(CALLS_FOR_ONE_OVER_TLS) > 0 ? PORT : TLS_PORT;
      try {
        app.within(
            PATIENCE,
            () -> {
              try (TcpSocket socket = app.io().connect(address(other, port));
                  ByteChannel channel =
                      port == TLS_PORT ? tls.over(socket, FixedTls.NAME) : socket) {
                int _ = channel.write(buffer.clear().putLong(question).flip());
                readFully(channel, buffer.clear());
              }
            });
        note(host.name(), "is answered at " + port + " " + buffer.getLong(0));
      } catch (TimedOutException | IOException e) {
        note(host.name(), e.toString());
      }
    }
  }

  private void sendDatagrams(WorldHost host, int number) throws IOException {
    Application app = host.application();
    try (UdpSocket socket = UdpSocket.open(app.io(), members[number])) {
      app.spawn(() -> {
        ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
        while (true) {
          var datagram = socket.receive(buffer.clear());
          note(host.name(), datagram + " " + buffer.getLong(0));
        }
      });
      while (true) {
        app.sleep(THINKING);
        ByteBuffer beat = ByteBuffer.allocate(Long.BYTES).putLong(0, host.random().nextLong());
        socket.send(beat, members[(number + 1) % HOSTS]);
      }
    }
  }

  // The faults.

  private void disturb() {
    for (int i = 0; i < FAULTS; i++) {
      world.runFor(upTo(MOST_BETWEEN_FAULTS, world.random()));
      fault();
    }
    var _ = world.network().links().heal();
    world.runFor(MOST_BETWEEN_FAULTS);
  }

  private void fault() {
    List<SimulatedHost> all = world.hosts().stream().map(WorldHost::simulated).toList();
    int chosen = world.random().nextInt(1, HOSTS);
    List<SimulatedHost> some = all.subList(0, chosen);
    List<SimulatedHost> others = all.subList(chosen, HOSTS);
    Fault fault = Fault.values()[world.random().nextInt(Fault.values().length)];
    note("test", "fault " + fault + " " + chosen);
    WorldHost host = world.hosts().get(chosen);
    switch (fault) {
      case PARTITION -> world.network().links(some, others).cut();
      case CUT_ONE_WAY -> world.network().oneWay(some.getFirst(), others.getLast()).cut();
      case HOLD -> world.network().links(some, others).hold();
      case HEAL -> world.network().links().heal();
      case CRASH -> restartAfter(host, host::crash);
      case POWER_OFF -> restartAfter(host, host::powerOff);
      case PAUSE -> {
        host.pause();
        world.runFor(upTo(MOST_BETWEEN_FAULTS, world.random()));
        host.resume();
      }
    }
  }

  private void restartAfter(WorldHost host, Runnable end) {
    end.run();
    world.runFor(upTo(MOST_BETWEEN_FAULTS, world.random()));
    host.restart();
  }
}
