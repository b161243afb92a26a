package dev.rondo.benchmarks.world;

import dev.rondo.simulation.SimulatedNetwork;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;

/// The heap of an idle simulated TCP connection: its two channels, and the objects between them.
final class ConnectionFootprint {

  private static final int COLLECTIONS = 4;

  private ConnectionFootprint() {}

  /// {@return the bytes of each connection}
  ///
  /// @param connections the number to open, less than the number of ephemeral ports
  static double bytes(int connections) throws IOException {
    var network = new SimulatedNetwork();
    var server = network.host("server", "10.0.0.1");
    SelectorProvider client = network.host("client", "10.0.0.2").provider();
    List<SocketChannel> open = new ArrayList<>(2 * connections);
    try (ServerSocketChannel listener = server.provider().openServerSocketChannel()) {
      var address = new InetSocketAddress(server.addresses().getFirst(), 7);
      listener.bind(address);
      long before = used();
      for (int i = 0; i < connections; i++) {
        SocketChannel channel = client.openSocketChannel();
        channel.connect(address);
        open.add(channel);
        open.add(listener.accept());
      }
      return (double) (used() - before) / connections;
    } finally {
      Reference.reachabilityFence(open);
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }

  private static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
