package dev.rondo.netty.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Counts the bytes of bodies that handlers read as a whole, and of incomplete messages. Bytes
/// count when they arrive, because announced bytes may never come.
///
/// Incomplete bodies must not wait for each other for ever. So memory for the longest body, up to
/// half of the whole, is reserved for the oldest incomplete body. That body can be completed, and
/// then the next one. No connection has more than a quarter of the memory, and no peer more than
/// half of it, unless for a single body.
///
/// Confined to the scheduler's thread.
public final class BodyMemory {

  private static final int CONNECTIONS_PART = 4;
  private static final int PEERS_PART = 2;
  private static final int KEPT_PART = 2;

  private final Scheduler scheduler;
  private final long mostBytes;

  /// Reserved for the oldest incomplete body.
  private final long keptBytes;

  private final Map<Object, Holder> holders = new HashMap<>();

  /// The incomplete bodies, the oldest first.
  private final Set<Share> begun = new LinkedHashSet<>();

  private final Set<Share> waiting = new LinkedHashSet<>();
  private long heldBytes;

  /// @param mostBytes for all bodies
  /// @param longest how long a body may become
  public BodyMemory(Scheduler scheduler, long mostBytes, long longest) {
    this.scheduler = scheduler;
    this.mostBytes = mostBytes;
    this.keptBytes = Math.min(longest, mostBytes / KEPT_PART);
  }

  /// {@return the number of bytes for all bodies together}
  public long mostBytes() {
    return mostBytes;
  }

  /// {@return the memory for one body, of which no byte has arrived}
  ///
  /// @param connection on which the body comes
  /// @param client the address of the connection's other end
  public Share share(Object connection, @Nullable SocketAddress client) {
    var share = new Share(holder(connection), holder(peer(client)));
    begun.add(share);
    return share;
  }

  /// {@return the key of one client's connections} An IPv6 network counts as one client.
  private static Object peer(@Nullable SocketAddress address) {
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      return inet.getAddress() instanceof Inet6Address six
          ? ByteBuffer.wrap(six.getAddress()).getLong()
          : inet.getAddress();
    }
    return String.valueOf(address);
  }

  private Holder holder(Object key) {
    Holder found = holders.computeIfAbsent(key, Holder::new);
    found.shares++;
    return found;
  }

  private void giveBack(Holder holder) {
    holder.shares--;
    if (holder.shares == 0) {
      holders.remove(holder.key);
    }
  }

  private void giveOut() {
    if (!waiting.isEmpty()) {
      List.copyOf(waiting).forEach(Share::mayGoOn);
    }
  }

  /// A connection or a peer.
  private static final class Holder {

    private final Object key;
    private int shares;
    private long bytes;

    private Holder(Object key) {
      this.key = key;
    }

    private boolean allows(Share share, long more, long most) {
      return bytes == share.bytes || bytes + more <= most;
    }
  }

  /// The memory for one body. A wait for more memory results in the share itself.
  public final class Share implements Waitable<Share> {

    private final Holder connection;
    private final Holder peer;
    private long bytes;

    /// The number of bytes that a task waits for.
    private long more;

    private @Nullable Waiter<? super Share> waiter;

    private Share(Holder connection, Holder peer) {
      this.connection = connection;
      this.peer = peer;
    }

    /// Takes memory for arrived bytes if there is enough. Otherwise the caller awaits this share.
    ///
    /// @param arrived the number of bytes
    public boolean tryGrow(long arrived) {
      more = arrived;
      boolean fits = fits();
      if (fits) {
        grow();
      }
      return fits;
    }

    private boolean fits() {
      long after = heldBytes + more;
      Iterator<Share> all = begun.iterator();
      Share first = all.hasNext() ? all.next() : this;
      if (first == this) {
        return after <= mostBytes;
      }
      return after + Math.max(0, keptBytes - first.bytes) <= mostBytes
          && connection.allows(this, more, mostBytes / CONNECTIONS_PART)
          && peer.allows(this, more, mostBytes / PEERS_PART);
    }

    private void grow() {
      add(more);
      more = 0;
    }

    private void add(long difference) {
      bytes += difference;
      heldBytes += difference;
      connection.bytes += difference;
      peer.bytes += difference;
    }

    @Override
    public boolean poll(Waiter<? super Share> polling) {
      return fits() && give(polling);
    }

    @Override
    public void arm(Waiter<? super Share> armed) {
      waiter = armed;
      waiting.add(this);
    }

    @Override
    public void disarm(Waiter<? super Share> armed) {
      waiter = null;
      waiting.remove(this);
    }

    private void mayGoOn() {
      Waiter<? super Share> own = waiter;
      if (own != null && fits()) {
        disarm(own);
        boolean _ = give(own);
      }
    }

    private boolean give(Waiter<? super Share> receiver) {
      boolean taken = receiver.fire(this);
      if (taken) {
        grow();
      }
      return taken;
    }

    /// The body is complete, or no more of it will come.
    public void complete() {
      if (begun.remove(this)) {
        giveOut();
      }
    }

    /// Gives the memory back.
    public void release() {
      begun.remove(this);
      add(-bytes);
      giveBack(connection);
      giveBack(peer);
      giveOut();
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public String toString() {
      return "memory for %,d bytes of a body".formatted(more);
    }
  }
}
