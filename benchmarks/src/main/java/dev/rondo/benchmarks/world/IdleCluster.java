package dev.rondo.benchmarks.world;

import dev.rondo.application.Application;
import dev.rondo.io.UdpSocket;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/// Hosts that only send their neighbour a datagram each second.
final class IdleCluster {

  private static final int PORT = 694;
  private static final int BYTES = 16;
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final InetSocketAddress[] members;
  private long beats;

  private IdleCluster(int hosts) {
    members = new InetSocketAddress[hosts];
  }

  /// The cost of a run.
  ///
  /// @param beats the number of received datagrams
  /// @param virtualPerSecond the virtual time in a second of processor time
  record Run(long beats, Duration virtualPerSecond) {}

  static Run run(int hosts, Duration virtual) {
    var cluster = new IdleCluster(hosts);
    try (World world = World.withSeed(1)) {
      for (int i = 0; i < hosts; i++) {
        int number = i;
        WorldHost host = world.host("host-" + i, it -> cluster.member(it, number));
        cluster.members[i] = new InetSocketAddress(host.address(), PORT);
      }
      long begin = ThreadTime.nanos();
      world.runFor(virtual);
      double seconds = (ThreadTime.nanos() - begin) / 1e9;
      return new Run(cluster.beats, Duration.ofNanos((long) (virtual.toNanos() / seconds)));
    }
  }

  private void member(WorldHost host, int number) throws Exception {
    Application app = host.application();
    InetSocketAddress neighbour = members[(number + 1) % members.length];
    try (UdpSocket socket = UdpSocket.open(app.io(), members[number])) {
      app.spawn("listen", () -> listen(socket));
      app.sleep(Duration.ofNanos(host.random().nextLong(PERIOD.toNanos())));
      ByteBuffer beat = ByteBuffer.allocate(BYTES);
      while (true) {
        socket.send(beat.clear(), neighbour);
        app.sleep(PERIOD);
      }
    }
  }

  private void listen(UdpSocket socket) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    while (true) {
      var _ = socket.receive(buffer.clear());
      beats++;
    }
  }
}
