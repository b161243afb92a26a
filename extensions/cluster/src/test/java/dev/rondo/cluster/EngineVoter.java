package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A voter by itself, without a scheduler: what it applies are texts.
final class EngineVoter implements Engine.Listener, Engine.Machine {

  /// What takes longer hangs.
  static final int HANG_SECONDS = 200;

  final String name;
  private final BlockingQueue<String> applied = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<Member>> views = new LinkedBlockingQueue<>();
  private final CompletableFuture<EngineVoter> leads = new CompletableFuture<>();
  final CompletableFuture<ClusterException> failed = new CompletableFuture<>();
  JGroupsEngine engine;

  EngineVoter(String name) {
    this.name = name;
  }

  static ClusterConfig config(
      String name, List<InetSocketAddress> members, List<String> voters, Path folder) {
    return ClusterConfig.of(name)
        .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .with(members)
        .withVoters(voters, folder.resolve(name));
  }

  /// {@return the first of two that leads}
  static EngineVoter leader(EngineVoter one, EngineVoter other) throws Exception {
    return (EngineVoter)
        CompletableFuture.anyOf(one.leads, other.leads).get(HANG_SECONDS, TimeUnit.SECONDS);
  }

  void join(ClusterConfig config) throws ClusterException {
    engine = new JGroupsEngine(config, this, this);
    engine.join();
  }

  void propose(String command) {
    engine.propose(command.getBytes(StandardCharsets.UTF_8));
  }

  void awaitApplied(String command) throws InterruptedException {
    String next;
    do {
      next = applied.poll(HANG_SECONDS, TimeUnit.SECONDS);
    } while (next != null && !next.equals(command));
    assertEquals(command, next, () -> "not applied by " + name);
  }

  void awaitMembers(int count) throws InterruptedException {
    List<Member> next;
    do {
      next = views.poll(HANG_SECONDS, TimeUnit.SECONDS);
    } while (next != null && next.size() != count);
    assertNotNull(next, () -> name + " has not seen " + count + " members");
  }

  @Override
  public void leaderChanged(boolean isThis) {
    if (isThis) {
      leads.complete(this);
    }
  }

  @Override
  public void apply(byte[] command) {
    applied.add(new String(command, StandardCharsets.UTF_8));
  }

  @Override
  public void membersChanged() {
    views.add(engine.view());
  }

  @Override
  public void received(Member from, List<Frame> frames) {}

  @Override
  public void failed(ClusterException failure) {
    leads.completeExceptionally(failure);
    failed.complete(failure);
  }

  @Override
  public byte[] save() {
    return new byte[0];
  }

  @Override
  public void restore(byte[] saved) {}
}
