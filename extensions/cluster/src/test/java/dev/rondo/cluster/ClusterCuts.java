package dev.rondo.cluster;

import dev.rondo.simulation.SimulatedHost;
import dev.rondo.simulation.SimulatedLinks;
import dev.rondo.simulation.SimulatedNetwork;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Cuts that chaos does not have: rings, halves, links that flap, and an etcd that is away.
final class ClusterCuts {

  private static final Duration PAUSE = Duration.ofSeconds(4);
  private static final Duration CUT = Duration.ofSeconds(8);
  private static final Duration FLAP = Duration.ofMillis(1_500);
  private static final int FLAPS = 6;

  private final World world;
  private final RandomGenerator random;
  private final SimulatedNetwork network;
  private final List<SimulatedHost> nodes = new ArrayList<>();
  private final SimulatedHost etcd;

  ClusterCuts(World world, List<WorldHost> nodes, WorldHost etcd) {
    this.world = world;
    this.random = world.random();
    this.network = world.network();
    nodes.forEach(each -> this.nodes.add(each.simulated()));
    this.etcd = etcd.simulated();
  }

  /// Runs the world at least so long.
  void runFor(Duration time) {
    while (world.elapsed().compareTo(time) < 0) {
      runForUpTo(PAUSE);
      Collections.shuffle(nodes, random);
      switch (random.nextInt(4)) {
        case 0 -> during(ring());
        case 1 -> during(List.of(halves()));
        case 2 -> flap();
        default -> during(List.of(network.links(nodes, List.of(etcd))));
      }
    }
  }

  private void runForUpTo(Duration most) {
    world.runFor(Duration.ofNanos(1 + random.nextLong(most.toNanos())));
  }

  private void during(List<SimulatedLinks> cut) {
    cut.forEach(SimulatedLinks::cut);
    runForUpTo(CUT);
    cut.forEach(SimulatedLinks::heal);
  }

  /// Each node hears its neighbours only. Of three, two do not hear each other.
  private List<SimulatedLinks> ring() {
    int size = nodes.size();
    var cut = new ArrayList<SimulatedLinks>();
    for (int i = 0; i < size; i++) {
      for (int j = i + 2; j < size; j++) {
        if (size == 3 || j - i < size - 1) {
          cut.add(network.link(nodes.get(i), nodes.get(j)));
        }
      }
    }
    return cut;
  }

  /// One of them has etcd.
  private SimulatedLinks halves() {
    int half = nodes.size() / 2 + random.nextInt(2);
    return network.links(nodes.subList(0, half), with(etcd, nodes.subList(half, nodes.size())));
  }

  /// A node loses and finds the others, in both directions or in one.
  private void flap() {
    SimulatedHost node = nodes.getFirst();
    List<SimulatedHost> others = with(etcd, nodes.subList(1, nodes.size()));
    List<SimulatedLinks> links =
        switch (random.nextInt(3)) {
          case 0 -> List.of(network.links(List.of(node), others));
          case 1 -> others.stream().map(each -> network.oneWay(node, each)).toList();
          default -> others.stream().map(each -> network.oneWay(each, node)).toList();
        };
    for (int i = 0; i < FLAPS; i++) {
      links.forEach(SimulatedLinks::cut);
      runForUpTo(FLAP);
      links.forEach(SimulatedLinks::heal);
      runForUpTo(FLAP);
    }
  }

  private static List<SimulatedHost> with(SimulatedHost one, List<SimulatedHost> others) {
    return Stream.concat(others.stream(), Stream.of(one)).toList();
  }
}
