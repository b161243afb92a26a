package dev.rondo.benchmarks.load;

import com.google.common.base.Splitter;
import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.HttpServers;
import dev.rondo.benchmarks.servers.LoopsServers;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Echo and HTTP on one loop and on two loops, at equal rates: the processor time of a message, and
/// the part of it that the busiest thread has taken. Both cores are for the servers and for the
/// generator, which never sleeps. So the figures say what two loops cost, not how much faster they
/// are: that takes more cores.
///
/// Then many clients connect at once. The loops of each server have the connections as evenly as
/// its way of accepting shares them.
public final class LoopsLoad {

  private static final String WORKLOAD = "loops";
  private static final String CORES = "0,1";
  private static final int CONNECTIONS = 64;
  private static final int PER_SECOND = 20_000;
  private static final int WARM_UPS = 6;
  private static final double WARM_UP_SECONDS = 1;
  private static final int ROUNDS = 5;
  private static final double SECONDS = 2;
  private static final double MICRO_NANOS = 1e3;
  private static final int STORM = 8_000;

  private LoopsLoad() {}

  static void main() throws Exception {
    Map<LoopsServers, ServerProcess> servers = new EnumMap<>(LoopsServers.class);
    try {
      for (LoopsServers each : LoopsServers.values()) {
        var server = new ServerProcess(LoopsServers.class, each, CORES);
        servers.put(each, server);
        warmUp(server, exchange(each, server));
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Map.Entry<LoopsServers, ServerProcess> each : servers.entrySet()) {
          paced(each.getValue(), exchange(each.getKey(), each.getValue()));
        }
      }
      for (Map.Entry<LoopsServers, ServerProcess> each : servers.entrySet()) {
        if (each.getKey().sharesConnections()) {
          storm(each.getValue());
        }
      }
    } finally {
      servers.values().forEach(ServerProcess::close);
    }
  }

  private static Exchange exchange(LoopsServers kind, ServerProcess server) throws IOException {
    return kind.isEcho() ? Exchange.ECHO : Exchange.http(server.port(), HttpServers.text());
  }

  private static void warmUp(ServerProcess server, Exchange exchange) throws IOException {
    for (int i = 0; i < WARM_UPS; i++) {
      try (var generator =
          new ClosedLoopGenerator(
              server.port(), CONNECTIONS, exchange, ClosedLoopGenerator.Order.AS_LISTED)) {
        generator.run(WARM_UP_SECONDS);
      }
    }
  }

  private static void paced(ServerProcess server, Exchange exchange) throws IOException {
    try (var generator = new PacedGenerator(server.port(), CONNECTIONS, exchange)) {
      generator.run(PER_SECOND, WARM_UP_SECONDS / 2);
      SchedStat before = server.schedStat();
      SchedStat compilersBefore = server.compilerStat();
      generator.run(PER_SECOND, SECONDS);
      SchedStat after = server.schedStat();
      double nanos =
          after.ranNanosSince(before) - server.compilerStat().ranNanosSince(compilersBefore);
      String params = "messages/s=" + PER_SECOND;
      String who = server.who();
      Sample.print(
          WORKLOAD, params, who, "CPU us/message", nanos / MICRO_NANOS / (PER_SECOND * SECONDS));
      Sample.print(
          WORKLOAD,
          params,
          who,
          "% of it on the busiest thread",
          100 * after.busiestRanNanosSince(before) / nanos);
    }
  }

  private static void storm(ServerProcess server) throws IOException {
    List<Integer> before = accepted(server);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    List<SocketChannel> clients = new ArrayList<>();
    try {
      for (int i = 0; i < STORM; i++) {
        SocketChannel client = SocketChannel.open();
        clients.add(client);
        client.setOption(StandardSocketOptions.SO_LINGER, 0); // its port is free at once
        client.connect(address);
      }
      for (SocketChannel each : clients) {
        awaitEcho(each); // it was accepted
      }
      double busier = since(before, accepted(server)).stream().mapToInt(it -> it).max().orElse(0);
      Sample.print(
          WORKLOAD,
          "connections=" + STORM,
          server.who(),
          "% of a storm on the busier loop",
          100 * busier / STORM);
    } finally {
      for (SocketChannel each : clients) {
        each.close();
      }
    }
  }

  private static void awaitEcho(SocketChannel client) throws IOException {
    client.write(ByteBuffer.allocate(1));
    if (client.read(ByteBuffer.allocate(1)) < 0) {
      throw new EOFException("the server has closed a connection");
    }
  }

  private static List<Integer> accepted(ServerProcess server) throws IOException {
    return Splitter.on(' ').splitToStream(server.report()).map(Integer::valueOf).toList();
  }

  private static List<Integer> since(List<Integer> before, List<Integer> now) {
    List<Integer> counts = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      counts.add(now.get(i) - before.get(i));
    }
    return counts;
  }
}
