package dev.rondo.benchmarks.world;

import dev.rondo.application.Application;
import dev.rondo.io.UdpSocket;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;

/// Hosts that each know one fact, and send all facts that they know to a random host every ten
/// seconds, until all hosts know all facts: anti-entropy by push (A. Demers et al., "Epidemic
/// Algorithms for Replicated Database Maintenance", 1987), over UDP.
final class Gossip {

  private static final int PORT = 7_946;
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofHours(1);

  private final InetSocketAddress[] members;
  private int informed;
  private long messages;

  /// The cost of a run.
  ///
  /// @param hosts the number of hosts
  /// @param virtual the virtual time until all hosts knew all facts
  /// @param messages the number of sent messages
  /// @param setUpSeconds the thread's time to make the hosts
  /// @param seconds the thread's time for the rest
  record Run(int hosts, Duration virtual, long messages, double setUpSeconds, double seconds) {}

  private Gossip(int hosts) {
    members = new InetSocketAddress[hosts];
  }

  static Run run(int hosts, long seed) {
    long begin = ThreadTime.nanos();
    try (World world = World.withSeed(seed)) {
      var gossip = new Gossip(hosts);
      for (int i = 0; i < hosts; i++) {
        int number = i;
        WorldHost host = world.host("host-" + i, it -> gossip.member(it, number));
        gossip.members[i] = new InetSocketAddress(host.address(), PORT);
      }
      long ready = ThreadTime.nanos();
      world.runUntil(() -> gossip.informed == hosts, LIMIT);
      long end = ThreadTime.nanos();
      return new Run(
          hosts, world.elapsed(), gossip.messages, (ready - begin) / 1e9, (end - ready) / 1e9);
    }
  }

  private void member(WorldHost host, int number) throws Exception {
    Application app = host.application();
    var known = new BitSet(members.length);
    known.set(number);
    try (UdpSocket socket = UdpSocket.open(app.io(), members[number])) {
      app.spawn("listen", () -> listen(socket, known));
      app.sleep(Duration.ofNanos(host.random().nextLong(PERIOD.toNanos())));
      while (true) {
        int other = (number + 1 + host.random().nextInt(members.length - 1)) % members.length;
        messages++;
        socket.send(ByteBuffer.wrap(known.toByteArray()), members[other]);
        app.sleep(PERIOD);
      }
    }
  }

  private void listen(UdpSocket socket, BitSet known) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(members.length / Byte.SIZE + 1);
    while (true) {
      buffer.clear();
      var _ = socket.receive(buffer);
      boolean knewAll = known.cardinality() == members.length;
      known.or(BitSet.valueOf(buffer.flip()));
      if (!knewAll && known.cardinality() == members.length) {
        informed++;
      }
    }
  }
}
