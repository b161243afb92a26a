package dev.rondo.cluster.internal.etcd;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.InetSocketAddress;
import java.util.List;

/// Members of another engine that agree by etcd.
public final class EtcdEngine implements Engine {

  private final ClusterConfig config;
  private final Engine members;
  private final EtcdSession session;

  public EtcdEngine(
      ClusterConfig config,
      EtcdServers servers,
      Engine members,
      Listener listener,
      Machine machine) {
    this.config = config;
    this.members = members;
    this.session = new EtcdSession(config, servers, listener, machine);
  }

  @Override
  public void join() throws ClusterException {
    long deadline = System.nanoTime() + Engine.nanos(config.limits().join());
    boolean joined = false;
    try {
      session.start();
      members.join();
      session.awaitJoined(deadline - System.nanoTime());
      joined = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("joining was interrupted", e);
    } finally {
      if (!joined) {
        leave();
      }
    }
  }

  @Override
  public void leave() {
    session.end();
    members.leave();
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
