package dev.rondo.cluster.internal.local;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.engine.JoinFailures;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.cluster.members.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A node that is alone, and keeps in a folder what it has agreed to. There is nothing to agree on
/// with others: a command is applied when it is on the disk.
///
/// A virtual thread writes what was proposed meanwhile, all at once, and ends.
public final class LocalEngine implements Engine {

  private final ClusterConfig config;
  private final Path folder;
  private final Listener listener;
  private final Machine machine;
  private final Member self;
  private final Queue<byte[]> proposed = new ConcurrentLinkedQueue<>();

  /// Whether a thread looks into the queue, or is about to.
  private final AtomicBoolean writing = new AtomicBoolean();

  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock; null unless it has joined.
  private @Nullable AgreedFile file;

  /// Guarded by the lock.
  private boolean left;

  public LocalEngine(ClusterConfig config, Listener listener, Machine machine) {
    this.config = config;
    this.folder = requireNonNull(config.folder());
    this.listener = listener;
    this.machine = machine;
    this.self = new Member(config.node(), UUID.randomUUID().toString());
  }

  @Override
  public void join() throws ClusterException {
    lock.lock();
    try {
      if (!left) {
        String owner = "node '%s' of cluster '%s'".formatted(config.node(), config.cluster());
        file = AgreedFile.open(folder, owner, machine);
      }
    } catch (IOException e) {
      throw JoinFailures.other(config, e);
    } finally {
      lock.unlock();
    }
    listener.leaderChanged(true);
  }

  @Override
  public void leave() {
    lock.lock();
    try {
      left = true;
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // What was confirmed is on the disk.
    } finally {
      file = null;
      lock.unlock();
    }
  }

  @Override
  public boolean agrees() {
    return true;
  }

  @Override
  public void propose(byte[] command) {
    proposed.add(command);
    if (!writing.getAndSet(true)) {
      var _ = Thread.startVirtualThread(this::writeAll);
    }
  }

  private void writeAll() {
    lock.lock();
    try {
      do {
        writeProposed();
        writing.set(false);
      } while (!proposed.isEmpty() && !writing.getAndSet(true));
    } catch (IOException e) {
      leave(); // what is in the file is not known; so it is not written any more
      listener.failed(
          new ClusterException(
              "node '%s' has left: it cannot write to %s: %s"
                  .formatted(config.node(), folder, e.getMessage()),
              e));
    } finally {
      lock.unlock();
    }
  }

  private void writeProposed() throws IOException {
    AgreedFile open = file;
    var commands = new ArrayList<byte[]>();
    for (byte[] next; (next = proposed.poll()) != null; ) {
      commands.add(next);
    }
    if (open != null && !commands.isEmpty()) {
      open.append(commands);
      commands.forEach(machine::apply);
      if (open.isLong()) {
        open.replace(machine.save());
      }
    }
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> view() {
    return List.of(self);
  }

  @Override
  public InetSocketAddress address() {
    throw new IllegalStateException("it has none");
  }

  /// There is no other member.
  @Override
  public void send(Member to, List<Frame> frames) {}
}
