package dev.rondo.cluster;

import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.Member;
import dev.rondo.cluster.members.MembersChange;
import dev.rondo.condition.channel.Subscription;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// A node of the [TrialTest], which goes on whatever happens: it joins again if it has left,
/// competes for leases, runs a job, serves keys, uses values, and sends messages.
///
/// | line | says |
/// |---|---|
/// | `members n` | how many it sees, whenever they change |
/// | `act l token nanos .` | it has the lease that the trial follows, see [LeaseHistory] |
/// | `sends to id .` | a message to a node |
/// | `taken id .` | it was confirmed |
/// | `got id .` | it was received |
/// | `run n repeated millis .` | a run of a job begins, and the time of its node then |
final class TrialLife {

  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration STEP = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final String BOX = "box";
  private static final List<String> KEYS = List.of("k0", "k1", "k2", "k3");
  private static final int CLIENTS = 2;

  /// A check of a register that has many operations without answers takes too long.
  private static final long REGISTERS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Scheduler scheduler;
  private final WaitForCluster cluster;
  private final String name;
  private final LeaseProcess process;
  private final Random random = new Random();
  private int clients;
  private long sent;

  TrialLife(Scheduler scheduler, WaitForCluster cluster, String name, LeaseProcess process) {
    this.scheduler = scheduler;
    this.cluster = cluster;
    this.name = name;
    this.process = process;
  }

  void run() {
    var _ = scheduler.spawn("receives", this::receive);
    var _ = scheduler.spawn("watches", this::watch);
    var _ = scheduler.spawn("sends", this::send);
    var _ = scheduler.spawn("holds", this::hold);
    for (int i = 0; i < CLIENTS; i++) {
      var _ = scheduler.spawn("client", this::useValues);
    }
    while (true) {
      join();
      process.spread(KEYS);
      job();
      var _ = scheduler.spawn("contends", process::contend);
      while (cluster.isJoined()) {
        sleep(PAUSE);
      }
      IO.println("left");
    }
  }

  private void job() {
    var _ =
        cluster.periodic(
            "job",
            PERIOD,
            TickPolicy.SKIP,
            run -> {
              LeaseProcess.act("job", run.lease());
              IO.println(
                  "run %d %s %d ."
                      .formatted(run.number(), run.isRepeated(), System.currentTimeMillis()));
            });
  }

  private void sleep(Duration time) {
    WaitForTime.on(scheduler).sleep(time);
  }

  private void join() {
    while (!cluster.isJoined()) {
      try {
        cluster.join();
      } catch (ClusterException e) {
        IO.println("failed to join: " + e.getMessage());
        sleep(PAUSE);
      }
    }
  }

  private void watch() {
    try (Subscription<MembersChange> changes = cluster.changes()) {
      while (true) {
        IO.println("members " + cluster.members().get().all().size());
        var _ = changes.receive();
      }
    }
  }

  private void hold() {
    while (true) {
      try (Lease lease = cluster.lease("l").acquire(TTL)) {
        lease.run(() -> {
          while (true) {
            LeaseProcess.act("l", lease);
            sleep(STEP);
          }
        });
      } catch (LeaseLostException | OutcomeUnknownException | IllegalStateException e) {
        sleep(STEP);
      }
    }
  }

  private void useValues() throws Exception {
    while (true) {
      try {
        new ValueClient(scheduler, cluster, name, "" + clients++, TrialLife::registers).run();
      } catch (OutcomeUnknownException | IllegalStateException e) {
        sleep(PAUSE);
      }
    }
  }

  private static List<String> registers() {
    long number = System.nanoTime() / REGISTERS_NANOS;
    return List.of("r0-" + number, "r1-" + number, "r2-" + number);
  }

  private void receive() {
    try (Mailbox<String> box = cluster.mailbox(BOX, Codec.utf8())) {
      while (true) {
        IO.println("got %s .".formatted(box.receive()));
      }
    }
  }

  private void send() {
    while (true) {
      sleep(PAUSE.dividedBy(2));
      List<String> others =
          cluster.members().get().all().stream()
              .map(Member::name)
              .filter(each -> !each.equals(name))
              .toList();
      if (!others.isEmpty()) {
        String to = others.get(random.nextInt(others.size()));
        String id = "%s/%d/%d".formatted(name, ProcessHandle.current().pid(), ++sent);
        IO.println("sends %s %s .".formatted(to, id));
        try {
          cluster.to(to, BOX, Codec.utf8()).send(id).awaitTaken();
          IO.println("taken %s .".formatted(id));
        } catch (DeliveryException | IllegalStateException e) {
          // It may have been taken, or not.
        }
      }
    }
  }
}
