package dev.rondo.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;

/// A cluster within one JVM: a thread of its own carries the frames.
final class MemoryHub implements AutoCloseable {

  private final LinkedTransferQueue<Runnable> actions = new LinkedTransferQueue<>();
  private final Executor carrier = actions::add;
  private final Thread thread;
  private final List<Joined> joined = new CopyOnWriteArrayList<>();
  private int joins;

  MemoryHub() {
    thread = Thread.ofPlatform().daemon().name("hub").start(this::carryAll);
  }

  private void carryAll() {
    try {
      while (true) {
        actions.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  Engine engine(ClusterConfig config, Engine.Listener listener) {
    return new Joined(config.node(), listener);
  }

  /// Has a member receive a frame, whatever it is.
  synchronized void inject(String from, String to, byte[] frame) {
    Member sender = find(from).self();
    Engine.Listener receiver = find(to).listener;
    carrier.execute(() -> receiver.received(sender, frame));
  }

  private Joined find(String name) {
    return joined.stream().filter(each -> each.self.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void changed() {
    List.copyOf(joined).forEach(each -> carrier.execute(each.listener::membersChanged));
  }

  private final class Joined implements Engine {

    private final Member self;
    private final Listener listener;

    Joined(String name, Listener listener) {
      synchronized (MemoryHub.this) {
        this.self = new Member(name, "id" + ++joins);
      }
      this.listener = listener;
    }

    @Override
    public void join() {
      synchronized (MemoryHub.this) {
        joined.add(this);
        changed();
      }
    }

    @Override
    public void leave() {
      synchronized (MemoryHub.this) {
        var _ = joined.remove(this);
        changed();
      }
    }

    @Override
    public Member self() {
      return self;
    }

    @Override
    public List<Member> view() {
      return joined.stream().map(each -> each.self).toList();
    }

    @Override
    public InetSocketAddress address() {
      return ClusterRig.anyPort();
    }

    @Override
    public void send(Member to, byte[] frame) {
      for (Joined each : joined) {
        if (each.self.equals(to)) {
          carrier.execute(() -> each.listener.received(self, frame));
        }
      }
    }
  }
}
