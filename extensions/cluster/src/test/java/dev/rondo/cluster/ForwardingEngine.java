package dev.rondo.cluster;

import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// Does what another engine does.
class ForwardingEngine implements Engine {

  final Engine engine;

  ForwardingEngine(Engine engine) {
    this.engine = engine;
  }

  @Override
  public boolean blocks() {
    return engine.blocks();
  }

  @Override
  public void agreeBy(String what, Duration passed) {
    engine.agreeBy(what, passed);
  }

  @Override
  public void join() throws ClusterException {
    engine.join();
  }

  @Override
  public void leave() {
    engine.leave();
  }

  @Override
  public void drop() {
    engine.drop();
  }

  @Override
  public Member self() {
    return engine.self();
  }

  @Override
  public List<Member> view() {
    return engine.view();
  }

  @Override
  public InetSocketAddress address() {
    return engine.address();
  }

  @Override
  public void send(Member to, List<Frame> frames) {
    engine.send(to, frames);
  }

  @Override
  public boolean agrees() {
    return engine.agrees();
  }

  @Override
  public int mostCommandBytes() {
    return engine.mostCommandBytes();
  }

  @Override
  public void propose(byte[] command) {
    engine.propose(command);
  }
}
