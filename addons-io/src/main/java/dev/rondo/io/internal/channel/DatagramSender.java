package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// The sending half of a UDP socket. Datagrams are whole, so any number of tasks may send: each
/// waits until the send under way has ended, first come, first served.
public final class DatagramSender extends Direction {

  /// 65,535 minus the UDP header, and minus the IP header where the length includes it (RFC 768,
  /// RFC 791, RFC 8200).
  private static final int MAX_BYTES_IPV4 = 65_507;

  private static final int MAX_BYTES_IPV6 = 65_527;

  private final DatagramChannel channel;
  private ByteBuffer source = StreamWriter.NOTHING;
  private @Nullable InetSocketAddress target;
  private boolean sent;

  private final Queue queue = new Queue();

  /// Nothing is sent yet.
  ///
  /// @param channel bound
  /// @param registration the channel's
  public DatagramSender(DatagramChannel channel, ChannelRegistration registration) {
    super(registration, SelectionKey.OP_WRITE);
    this.channel = channel;
  }

  /// Sends a datagram.
  ///
  /// @param src its remaining bytes are the datagram
  /// @param to resolved
  /// @throws IOException if this side has closed the socket, or the system refuses
  public void send(ByteBuffer src, InetSocketAddress to) throws IOException {
    int max = to.getAddress() instanceof Inet6Address ? MAX_BYTES_IPV6 : MAX_BYTES_IPV4;
    if (src.remaining() > max) {
      throw new IllegalArgumentException(
          "%s to %s: a datagram can have %,d bytes at most: bytes=%,d"
              .formatted(this, Addresses.text(to), max, src.remaining()));
    }
    if (!src.hasRemaining() && channel.isConnected()) {
      throw new IllegalArgumentException(
          this
              + ": the JDK sends no empty datagram from a connected socket: disconnect() it first");
    }
    takeTurn();
    source = src;
    target = to;
    sent = false;
    try {
      await(this);
    } finally {
      source = StreamWriter.NOTHING;
      end();
    }
  }

  /// Reserves this side for the current task, which waits while another task has this side.
  private void takeTurn() throws IOException {
    if (owner() == null || scheduler.currentTask() == null) {
      begin();
      return;
    }
    awaitWithinTimeout(queue);
    try {
      begin();
    } catch (Throwable e) {
      end();
      throw e;
    }
  }

  @Override
  void end() {
    super.end();
    if (queue.isWaited()) {
      queue.next();
    }
  }

  /// The tasks that wait to send. The first task has this side even before its turn.
  private final class Queue implements Waitable<DatagramSender> {

    private final WaitQueue<DatagramSender> waiters = new WaitQueue<>();

    boolean isWaited() {
      return !waiters.isEmpty();
    }

    /// If the socket is closed, all tasks find that at once.
    void next() {
      if (!channel.isOpen()) {
        var _ = waiters.fireAll(DatagramSender.this);
        return;
      }
      Waiter<? super DatagramSender> first;
      do {
        first = waiters.poll();
      } while (first != null && !give(first));
    }

    private boolean give(Waiter<? super DatagramSender> waiter) {
      handOver(waiter.task());
      if (waiter.fire(DatagramSender.this)) {
        return true;
      }
      DatagramSender.super.end();
      return false;
    }

    @Override
    public boolean poll(Waiter<? super DatagramSender> waiter) {
      return owner() == null && give(waiter);
    }

    @Override
    public void arm(Waiter<? super DatagramSender> waiter) {
      if (!poll(waiter)) {
        waiters.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super DatagramSender> waiter) {
      var _ = waiters.remove(waiter);
    }

    @Override
    public @Nullable Task<?> holder() {
      return owner();
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public String toString() {
      return "its turn to " + DatagramSender.this;
    }
  }

  @Override
  boolean attempt() throws IOException {
    boolean empty = !source.hasRemaining();
    try {
      // For an empty datagram the JDK returns 0 whether it was sent or not; it nearly always is.
      sent = channel.send(source, target) > 0 || empty;
    } catch (AlreadyConnectedException e) {
      throw new IllegalStateException(
          this + ": it is connected to " + channel.getRemoteAddress() + " and not to " + text(), e);
    }
    return sent;
  }

  @Override
  IOException translated(IOException e) {
    return failures().of(this + " to " + text() + ": bytes=" + source.remaining(), e);
  }

  private String text() {
    InetSocketAddress to = target;
    return to == null ? "no target" : Addresses.text(to);
  }

  @Override
  public String toString() {
    return "send from " + registration;
  }
}
