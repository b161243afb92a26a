package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.cluster.Codec;
import dev.rondo.cluster.Mailbox;
import dev.rondo.cluster.RemoteMailbox;
import dev.rondo.cluster.WaitForCluster;
import dev.rondo.cluster.config.ClusterConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/// A cluster of two processes: a till sends orders, and a stock takes them. Start each with its
/// name, its port, and the ports of other members: `stock 7801` and, in another terminal, `till
/// 7802 7801`. Both end when the stock has taken both orders.
final class Orders {

  private Orders() {}

  static void main(String[] args) {
    if (args.length < 2) {
      IO.println("start it twice: \"stock 7801 7802\" and \"till 7802 7801\"");
      return;
    }
    List<InetSocketAddress> ports = Stream.of(args).skip(1).map(Orders::loopback).toList();
    Application.run(app -> {
      WaitForCluster cluster = cluster(app, args[0], ports.getFirst(), ports);
      if (args[0].equals("stock")) {
        stock(cluster).forEach(IO::println);
      } else {
        till(app, cluster);
      }
    });
  }

  private static InetSocketAddress loopback(String port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
  }

  /// {@return the cluster, which this process has not joined yet}
  static WaitForCluster cluster(
      Application app, String name, InetSocketAddress here, List<InetSocketAddress> others) {
    ClusterConfig config = ClusterConfig.of(name).in("shop").at(here).with(others);
    return WaitForCluster.on(app.scheduler(), config);
  }

  static List<String> stock(WaitForCluster cluster) throws IOException {
    try (Mailbox<String> orders = cluster.mailbox("orders", Codec.utf8())) {
      cluster.join(); // when the others see this member, it has the mailbox
      return List.of(orders.receive(), orders.receive());
    }
  }

  static void till(Application app, WaitForCluster cluster) throws IOException {
    cluster.join();
    app.waitFor(() -> cluster.members().get().find("stock").isPresent());
    RemoteMailbox<String> orders = cluster.to("stock", "orders", Codec.utf8());
    var _ = orders.send("three apples"); // at most once
    orders.send("a pear").awaitTaken(); // returns when a task of the stock has it
  }
}
