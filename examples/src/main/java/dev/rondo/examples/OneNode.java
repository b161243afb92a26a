package dev.rondo.examples;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.Application;
import dev.rondo.cluster.ClusterCounter;
import dev.rondo.cluster.ClusterJob;
import dev.rondo.cluster.ClusterLease;
import dev.rondo.cluster.ClusterRegister;
import dev.rondo.cluster.ClusterSignal;
import dev.rondo.cluster.ClusterSpread;
import dev.rondo.cluster.Codec;
import dev.rondo.cluster.Delivery;
import dev.rondo.cluster.Lease;
import dev.rondo.cluster.Mailbox;
import dev.rondo.cluster.RemoteMailbox;
import dev.rondo.cluster.WaitForCluster;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.MembersChange;
import dev.rondo.condition.channel.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A cluster of one node, which needs no address, no thread and no etcd. It is a ferry with one
/// captain, which counts its passengers and calls at two ports. The same lines work on several
/// nodes.
final class OneNode {

  private static final Duration TIME = Duration.ofSeconds(5);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Application app;
  private final WaitForCluster cluster;
  private final List<String> log = new ArrayList<>();

  private OneNode(Application app, WaitForCluster cluster) {
    this.app = app;
    this.cluster = cluster;
  }

  /// With a folder, the ferry goes on with its earlier agreements.
  static void main(String[] args) {
    Application.run(app -> {
      WaitForCluster cluster =
          args.length == 0
              ? WaitForCluster.on(app.scheduler())
              : WaitForCluster.on(
                  app.scheduler(), ClusterConfig.of("here").keptIn(Path.of(args[0])));
      cluster.join(); // reads the folder, if there is one
      sail(app, cluster).forEach(IO::println);
    });
  }

  /// Runs the whole demonstration. Suspends its task.
  ///
  /// @return the events
  static List<String> sail(Application app, WaitForCluster cluster) throws Exception {
    var node = new OneNode(app, cluster);
    node.count();
    node.choose();
    node.steer();
    node.callAtPorts();
    node.runTheJob();
    node.talk();
    return node.log;
  }

  private void count() {
    ClusterCounter passengers = cluster.counter("passengers");
    long aboard = passengers.add(40);
    boolean full = passengers.compareAndSet(aboard, aboard + 2);
    log.add("passengers: %d, full: %s".formatted(passengers.get(), full));
  }

  private void choose() {
    ClusterRegister<String> course = cluster.register("course", Codec.utf8());
    course.set("north");
    boolean changed = course.compareAndSet(Optional.of("north"), Optional.of("south"));
    log.add("course: %s, changed: %s".formatted(course.get().orElseThrow(), changed));
  }

  private void steer() throws InterruptedException {
    ClusterLease wheel = cluster.lease("wheel");
    try (Lease held = wheel.acquireIfFree(TIME).orElseThrow()) {
      boolean most = held.remaining().compareTo(TIME) <= 0;
      boolean again = wheel.acquireIfFree(TIME).isPresent();
      log.add(
          "%s steers: %s, twice: %s".formatted(wheel.holder().get().orElseThrow(), most, again));
    }
    ClusterLease captain = cluster.lease("captain");
    try (Lease held = captain.acquire(TIME)) {
      String leader = held.run(() -> captain.holder().get().orElse(""));
      log.add("captain: %s, token %d".formatted(leader, held.token()));
    }
  }

  private void callAtPorts() {
    List<String> ports = List.of("dover", "calais");
    ClusterSpread calls =
        cluster.spread("ports", ports, (port, lease) -> lease.run(() -> app.sleep(HOUR)));
    while (calls.served().size() < ports.size()) {
      app.sleep(Duration.ofMillis(10));
    }
    log.add("%s calls at dover".formatted(calls.owner("dover").orElseThrow()));
    calls.cancel();
  }

  private void runTheJob() {
    ClusterJob bell =
        cluster.recurring(
            "bell", now -> Optional.of(now.plusSeconds(1)), run -> ring(run.number()));
    while (log.stream().filter(each -> each.startsWith("bell")).count() < 2) {
      app.sleep(Duration.ofMillis(100));
    }
    log.add("this node rings: " + bell.isRunner());
    bell.cancel();
  }

  private void ring(long number) {
    log.add("bell " + number);
  }

  private void talk() {
    ClusterSignal<String> horn = cluster.signal("horn", Codec.utf8());
    var _ = horn.onSignal(sound -> log.add("horn: " + sound));
    int reached = horn.signalAll("long");
    app.yield();
    log.add("members that hear it: " + reached);
    String self = cluster.members().get().self().name();
    try (Subscription<MembersChange> changes = cluster.changes();
        Mailbox<String> bridge = cluster.mailbox("bridge", Codec.utf8())) {
      RemoteMailbox<String> toBridge = cluster.to(self, "bridge", Codec.utf8());
      Delivery sent = requireNonNull(app.await(toBridge.sending("full ahead"), TIME));
      log.add("bridge: " + app.await(bridge.receiving(), TIME));
      sent.awaitTaken();
      log.add("taken: %s, joined: %s".formatted(sent.isTaken(), cluster.isJoined()));
      log.add("agrees: " + cluster.quorum().get().isThere());
      MembersChange change = changes.tryReceive();
      log.add("new members: " + (change == null ? 0 : change.joined().size()));
      log.add("below deck: " + refusal(cluster.to(self, "cellar", Codec.utf8())));
    }
    cluster.leave(); // alone it is nothing
  }

  private static String refusal(RemoteMailbox<String> closed) {
    try {
      closed.send("anyone?").awaitTaken();
      return "taken";
    } catch (DeliveryException e) {
      return e.reason().name();
    }
  }
}
