package dev.rondo.cluster.internal.etcd;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.engine.JoinFailures;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// Members of another engine that agree by etcd.
public final class EtcdEngine implements Engine {

  private final ClusterConfig config;
  private final Engine members;
  private final EtcdSeat seat;
  private final EtcdSession session;

  public EtcdEngine(
      ClusterConfig config,
      EtcdServers servers,
      Engine members,
      Listener listener,
      Machine machine,
      EtcdSeat seat) {
    this.config = config;
    this.members = members;
    this.seat = seat;
    this.session = new EtcdSession(config, servers, listener, machine, seat);
  }

  @Override
  public boolean blocks() {
    return seat.blocks();
  }

  @Override
  public void join() throws ClusterException {
    long begin = seat.nowNanos();
    boolean joined = false;
    try {
      requireTls();
      session.start();
      session.awaitJoined(Engine.nanos(config.limits().join()));
      members.agreeBy(session.identity(), Duration.ofNanos(seat.nowNanos() - begin));
      members.join();
      session.requireOpen();
      joined = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("joining was interrupted", e);
    } finally {
      if (!joined) {
        drop();
      }
    }
  }

  /// Simulated TLS protects nothing outside a world.
  private void requireTls() throws ClusterException {
    EtcdServers servers = config.etcd();
    ClusterTls tls = servers == null ? null : servers.tls();
    if (tls != null && blocks()) {
      var _ = JoinFailures.requireReal(config, tls);
    }
  }

  @Override
  public void leave() {
    session.end();
    members.leave();
  }

  @Override
  public void drop() {
    if (blocks()) {
      leave();
    } else {
      session.cancel();
      members.drop();
    }
  }

  @Override
  public Member self() {
    return members.self();
  }

  @Override
  public List<Member> view() {
    return members.view();
  }

  @Override
  public InetSocketAddress address() {
    return members.address();
  }

  @Override
  public void send(Member to, List<Frame> frames) {
    members.send(to, frames);
  }

  @Override
  public boolean agrees() {
    return true;
  }

  @Override
  public void propose(byte[] command) {
    session.propose(command);
  }

  @Override
  public int mostCommandBytes() {
    return EtcdSession.MOST_ENTRY_BYTES;
  }
}
