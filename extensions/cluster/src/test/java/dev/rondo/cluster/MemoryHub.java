package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.Member;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;

/// A cluster within one JVM: a thread of its own carries the frames.
final class MemoryHub implements AutoCloseable {

  private final LinkedTransferQueue<Runnable> actions = new LinkedTransferQueue<>();
  private final Executor carrier = actions::add;
  private final Thread thread;
  private final List<Joined> joined = new CopyOnWriteArrayList<>();
  private final Set<String> cutOff = ConcurrentHashMap.newKeySet();
  private final Map<String, String> hidden = new ConcurrentHashMap<>();
  private final List<byte[]> log = new ArrayList<>();
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

  Engine engine(ClusterConfig config, Engine.Listener listener, Engine.Machine machine) {
    return new Joined(config.node(), listener, machine);
  }

  /// Has proposals of a member be lost from now on, or arrive again.
  synchronized void cut(String name, boolean cut) {
    if (cut) {
      cutOff.add(name);
    } else {
      var _ = cutOff.remove(name);
    }
  }

  /// Has a member see another no longer.
  synchronized void hide(String from, String other) {
    hidden.put(from, other);
    changed();
  }

  /// Has a member receive a frame, whatever it is.
  synchronized void inject(String from, String to, byte[] frame) {
    Member sender = find(from).self();
    Engine.Listener receiver = find(to).listener;
    carrier.execute(() -> receiver.received(sender, List.of(Frame.of(ByteBuffer.wrap(frame)))));
  }

  private Joined find(String name) {
    return joined.stream().filter(each -> each.self.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void changed() {
    List<Joined> now = List.copyOf(joined);
    for (Joined each : now) {
      boolean leads = each == now.getFirst();
      carrier.execute(() -> {
        each.listener.membersChanged();
        each.catchUp();
        each.listener.leaderChanged(leads);
      });
    }
  }

  private final class Joined implements Engine {

    private final Member self;
    private final Listener listener;
    private final Machine machine;

    /// How much of the log was applied. The carrier's.
    private int applied;

    Joined(String name, Listener listener, Machine machine) {
      synchronized (MemoryHub.this) {
        this.self = new Member(name, "id" + ++joins);
      }
      this.listener = listener;
      this.machine = machine;
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
      return joined.stream()
          .map(each -> each.self)
          .filter(each -> !each.name().equals(hidden.get(self.name())))
          .toList();
    }

    @Override
    public InetSocketAddress address() {
      return ClusterRig.anyPort();
    }

    @Override
    public boolean agrees() {
      return true;
    }

    @Override
    public void propose(byte[] command) {
      if (!cutOff.contains(self.name())) {
        carrier.execute(() -> {
          log.add(command);
          joined.forEach(Joined::catchUp);
        });
      }
    }

    private void catchUp() {
      while (applied < log.size() && !cutOff.contains(self.name())) {
        machine.apply(log.get(applied++));
      }
    }

    @Override
    public void send(Member to, List<Frame> frames) {
      List<Frame> carried =
          frames.stream().map(frame -> Frame.of(ByteBuffer.wrap(frame.bytes()))).toList();
      for (Joined each : joined) {
        if (each.self.equals(to)) {
          carrier.execute(() -> each.listener.received(self, carried));
        }
      }
    }
  }
}
