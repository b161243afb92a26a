package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The links in the guide.
final class LinksExampleTest {

  @Test
  void links_healed_carryPackets() throws IOException {
    long seed = 1;
    var network = new SimulatedNetwork();
    var address = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 7);
    SimulatedHost server = network.host("server", "10.0.0.1");
    SimulatedHost client = network.host("client", "10.0.0.2");
    SimulatedHost other = network.host("other", "10.0.0.3");

    network.random(new SplittableRandom(seed));
    network
        .links()
        .latency(SimulatedLatency.exponential(Duration.ofMillis(1), Duration.ofMillis(2)));
    network.link(client, server).loss(0.01).bandwidth(1_000_000);
    network.oneWay(server, client).cut();
    network.links(List.of(server), List.of(client, other)).cut();
    network.links().heal();

    ServerSocketChannel listener = server.provider().openServerSocketChannel().bind(address);
    var channel = client.provider().openSocketChannel();
    channel.connect(address);
    assertEquals(channel.getLocalAddress(), listener.accept().getRemoteAddress());
  }
}
