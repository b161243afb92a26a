package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.Nightly;
import dev.rondo.simulation.History;
import dev.rondo.simulation.Invocation;
import dev.rondo.simulation.model.Register;
import dev.rondo.time.WaitForTime;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.JChannel;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three nodes, of which the leader is cut off, while clients on all of them use a register: what
/// they were answered is linearizable.
@Nightly("cut connections, two minutes of real time")
final class PartitionTest extends ClusterRig {

  private static final List<String> VOTERS = List.of("a", "b", "c");
  private static final int OPERATIONS = 30;
  private static final Duration PAUSE = Duration.ofMillis(20);

  @TempDir Path folder;
  private final Map<String, JGroupsEngine> engines = new HashMap<>();
  private final Map<String, AtomicInteger> answered = new HashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicInteger lastValue = new AtomicInteger();

  /// Guarded by itself.
  private final History<Register<Integer>, @Nullable Object> history =
      History.timedBy(() -> Duration.ofNanos(System.nanoTime()));

  private void joinAll() throws Exception {
    for (String name : VOTERS) {
      List<InetSocketAddress> members =
          nodes.isEmpty() ? List.of() : List.of(nodes.getFirst().address());
      ClusterConfig config =
          ClusterConfig.of(name)
              .at(anyPort())
              .with(members)
              .withVoters(VOTERS, folder.resolve(name))
              .limited(ClusterLimits.USUAL.withSilence(Duration.ofSeconds(1)));
      Node node =
          node(
              config,
              (ofNode, listener, machine) -> {
                var engine = new JGroupsEngine(ofNode, listener, machine);
                engines.put(name, engine);
                return engine;
              });
      node.join();
      nodes.add(node);
    }
    nodes.getFirst().run(() -> register(nodes.getFirst()).set(0));
  }

  private static ClusterRegister<Integer> register(Node node) {
    return node.cluster.register(
        "r",
        new Codec<>() {
          @Override
          public byte[] encode(Integer message) {
            return Codec.utf8().encode(message.toString());
          }

          @Override
          public Integer decode(byte[] bytes) throws Exception {
            return Integer.valueOf(Codec.utf8().decode(bytes));
          }
        });
  }

  // Clients.

  private CompletableFuture<Void> client(Node node, String name) {
    var count = new AtomicInteger();
    answered.put(name, count);
    return node.begin(() -> {
      ClusterRegister<Integer> register = register(node);
      while (!ends.get()) {
        int value = lastValue.incrementAndGet();
        record(
            name,
            new Register.Write<>(value),
            () -> {
              register.set(value);
              return null;
            });
        record(name, new Register.Read<>(), () -> register.get().orElseThrow());
        record(
            name,
            new Register.CompareAndSet<>(value, -value),
            () -> register.compareAndSet(Optional.of(value), Optional.of(-value)));
        synchronized (count) {
          count.addAndGet(3);
          count.notifyAll();
        }
        WaitForTime.on(node.scheduler).sleep(PAUSE);
      }
      return null;
    });
  }

  private interface Operation {
    @Nullable Object run();
  }

  private void record(String client, Register<Integer> input, Operation operation) {
    Invocation<Register<Integer>, @Nullable Object> invocation;
    synchronized (history) {
      invocation = history.invoke(client, input);
    }
    Object answer = operation.run();
    synchronized (history) {
      if (answer == null) {
        invocation.returned();
      } else {
        invocation.returned(answer);
      }
    }
  }

  private void awaitAnswers(String client) throws Exception {
    AtomicInteger count = requireNonNull(answered.get(client));
    int enough = count.get() + OPERATIONS;
    long end = System.nanoTime() + HANG.toNanos();
    synchronized (count) {
      while (count.get() < enough) {
        long left = end - System.nanoTime();
        assertTrue(left > 0, () -> client + " has no answers: " + states());
        TimeUnit.NANOSECONDS.timedWait(count, left);
      }
    }
  }

  /// For the message of a failure.
  private List<String> states() {
    return VOTERS.stream()
        .map(name -> {
          JChannel channel = requireNonNull(requireNonNull(engines.get(name)).channel());
          RAFT raft = channel.getProtocolStack().findProtocol(RAFT.class);
          return "%s: %s, leader %s, term %d, %s, committed %d of %d"
              .formatted(
                  name,
                  channel.view(),
                  raft.leader(),
                  raft.currentTerm(),
                  raft.role(),
                  raft.commitIndex(),
                  raft.lastAppended());
        })
        .toList();
  }

  private DISCARD discard(String name) throws Exception {
    var discard = new DISCARD();
    ProtocolStack stack =
        requireNonNull(requireNonNull(engines.get(name)).channel()).getProtocolStack();
    stack.insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
    return discard;
  }

  private void cutOffTheLeader(double out, double in) throws Exception {
    joinAll();
    var clients = new ArrayList<CompletableFuture<Void>>();
    for (Node each : nodes) {
      clients.add(client(each, "client " + clients.size()));
    }
    Node a = nodes.getFirst();
    Node b = nodes.get(1);
    Lease lease = a.call(() -> a.cluster.lease("l").acquire(Duration.ofSeconds(1)));
    awaitAnswers("client 0");
    DISCARD discard = discard("a");
    var _ = discard.setDownDiscardRate(out).setUpDiscardRate(in);
    if (out > 0) {
      var taken = b.begin(() -> b.cluster.lease("l").acquire(Duration.ofSeconds(1)));
      b.run(result(taken)::close);
      assertThrows(LeaseLostException.class, () -> a.run(lease::check));
      awaitAnswers("client 1");
      awaitAnswers("client 2");
    } else {
      a.awaitMembers(members -> members.size() == 1);
    }
    var _ = discard.setDownDiscardRate(0).setUpDiscardRate(0);
    for (String each : List.copyOf(answered.keySet())) {
      awaitAnswers(each);
    }
    ends.set(true);
    for (CompletableFuture<Void> each : clients) {
      var _ = result(each);
    }
    history.requireLinearizable(Register.model(0));
  }

  @Test
  void theLeader_cutOffBothWays() throws Exception {
    cutOffTheLeader(1, 1);
  }

  @Test
  void theLeader_whoseMessagesAreLost() throws Exception {
    cutOffTheLeader(1, 0);
  }

  /// The others hear the leader, so they elect no other one: nothing is answered until the cut is
  /// over.
  @Test
  void theLeader_thatHearsNothing() throws Exception {
    cutOffTheLeader(0, 1);
  }
}
