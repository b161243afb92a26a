package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.jgroups.JGroupsEngine;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// An engine without a scheduler: a member that sends and receives words.
final class EngineMember implements Engine.Listener {

  /// What takes longer hangs.
  static final int HANG_SECONDS = 200;

  final String name;
  private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<Member>> views = new LinkedBlockingQueue<>();
  JGroupsEngine engine;

  EngineMember(String name) {
    this.name = name;
  }

  void join(List<InetSocketAddress> members) throws ClusterException {
    engine =
        new JGroupsEngine(
            ClusterConfig.of(name)
                .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .with(members),
            this);
    engine.join();
  }

  void send(EngineMember to, String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    engine.send(to.engine.self(), List.of(Frame.message(false, 1, "m", bytes)));
  }

  void awaitWord(String word) throws InterruptedException {
    String next = words.poll(HANG_SECONDS, TimeUnit.SECONDS);
    assertEquals(word, next, () -> "not received by " + name);
  }

  void awaitMembers(int count) throws InterruptedException {
    List<Member> next;
    do {
      next = views.poll(HANG_SECONDS, TimeUnit.SECONDS);
    } while (next != null && next.size() != count);
    assertNotNull(next, () -> name + " has not seen " + count + " members");
  }

  @Override
  public void membersChanged() {
    views.add(engine.view());
  }

  @Override
  public void received(Member from, List<Frame> frames) {
    frames.forEach(each -> words.add(new String(each.message(), StandardCharsets.UTF_8)));
  }

  @Override
  public void leaderChanged(boolean leads) {}

  @Override
  public void failed(ClusterException failure) {}
}
