package dev.rondo.io.tls;

import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// The channel that the TLS library works on: encrypted bytes in memory. It never waits, so the
/// library never suspends a task while it holds one of its locks. The locks are `ReentrantLock`s,
/// which belong to threads; on the CONTINUATION backend all tasks share a thread, so the locks
/// would exclude none of them.
///
/// Confined to the scheduler's thread.
final class MemoryChannel implements ByteChannel {

  /// One record of TLS, with its overhead.
  private static final int RECORD_BYTES = 17 * 1024;

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  /// Received and not decrypted yet: from position to limit. Allocated when first needed.
  private ByteBuffer received = NONE;

  /// Encrypted, and not being sent yet: up to position.
  private ByteBuffer pending = NONE;

  /// Being sent: from position to limit.
  private ByteBuffer sending = NONE;

  private boolean ended;
  private boolean open = true;

  /// Takes received bytes; 0 if there are none, and the peer may send more.
  @Override
  public int read(ByteBuffer dst) {
    int n = Math.min(dst.remaining(), received.remaining());
    if (n == 0) {
      return ended ? -1 : 0;
    }
    dst.put(received.slice(received.position(), n));
    received.position(received.position() + n);
    return n;
  }

  /// Takes all bytes.
  @Override
  public int write(ByteBuffer src) throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
    int n = src.remaining();
    if (pending.remaining() < n) {
      int room = Math.max(RECORD_BYTES, pending.position() + n);
      pending = ByteBuffer.allocate(room).put(pending.flip());
    }
    pending.put(src);
    return n;
  }

  /// Room for the bytes received next, to be passed to [#filled]. All earlier bytes have been
  /// taken. Until [#filled] is called there is nothing to read, because other tasks may read
  /// meanwhile.
  ByteBuffer toFill() {
    assert !received.hasRemaining() : "bytes would be lost: " + received;
    if (received == NONE) {
      received = ByteBuffer.allocate(RECORD_BYTES).limit(0);
    }
    return received.duplicate().clear();
  }

  void filled(ByteBuffer room) {
    received.limit(room.position()).position(0);
  }

  boolean hasReceived() {
    return received.hasRemaining();
  }

  /// The peer sends no more.
  void end() {
    ended = true;
  }

  boolean ended() {
    return ended;
  }

  /// {@return the bytes to send now, beginning with the unsent rest of an earlier send; null if
  /// there are none}
  @Nullable ByteBuffer toSend() {
    if (!sending.hasRemaining()) {
      ByteBuffer sent = sending;
      sending = pending.flip();
      pending = sent == NONE ? NONE : sent.clear();
    }
    return sending.hasRemaining() ? sending : null;
  }

  boolean hasToSend() {
    return sending.hasRemaining() || pending.position() > 0;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }
}
