package dev.rondo.simulation.threads.internal.net;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritePendingException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A connection that is used asynchronously.
final class AsyncSocket extends AsynchronousSocketChannel {

  /// What it reads, or what it writes.
  private final class Direction {

    private final String name;
    private boolean busy;

    /// Whether the time of an operation is over, which may go on.
    private boolean ended;

    Direction(String name) {
      this.name = name;
    }

    CompletableFuture<Long> begin(
        IllegalStateException pending, Callable<Long> transfer, long timeout, TimeUnit unit) {
      if (ended) {
        throw new IllegalStateException("a " + name + " has ended at its limit");
      }
      if (busy) {
        throw pending;
      }
      busy = true;
      CompletableFuture<Long> result =
          AsyncGroup.<Long>begin(
              name,
              AsyncSocket.this,
              () -> {
                try {
                  return transfer.call();
                } finally {
                  busy = false;
                }
              });
      return timeout <= 0
          ? result
          : result.orTimeout(timeout, unit).exceptionallyCompose(this::atLimit);
    }

    private CompletableFuture<Long> atLimit(Throwable failure) {
      ended |= failure instanceof TimeoutException;
      return CompletableFuture.failedFuture(
          failure instanceof TimeoutException ? new InterruptedByTimeoutException() : failure);
    }
  }

  private final AsyncGroup group;
  private final SocketChannel channel;
  private final Direction reading = new Direction("read");
  private final Direction writing = new Direction("write");
  private boolean connecting;

  AsyncSocket(AsyncGroup group, SocketChannel channel) throws IOException {
    super(group.provider());
    this.group = group;
    this.channel = channel;
    group.opened(this);
  }

  // Connecting.

  @Override
  public AsynchronousSocketChannel bind(@Nullable SocketAddress local) throws IOException {
    SocketChannel _ = channel.bind(local);
    return this;
  }

  @Override
  public <A extends @Nullable Object> void connect(
      SocketAddress remote, A attachment, CompletionHandler<Void, ? super A> handler) {
    group.handle(connect(remote), attachment, requireNonNull(handler, "handler is null"));
  }

  @Override
  public CompletableFuture<Void> connect(SocketAddress remote) {
    if (!isOpen()) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    if (channel.isConnected()) {
      throw new AlreadyConnectedException();
    }
    if (connecting) {
      throw new ConnectionPendingException();
    }
    connecting = true;
    return AsyncGroup.<Boolean>begin(
            "connect",
            this,
            () -> {
              try {
                return channel.connect(remote);
              } finally {
                connecting = false;
              }
            })
        .thenAccept(_ -> {});
  }

  // Bytes.

  private void requireConnected() {
    if (isOpen() && !channel.isConnected()) {
      throw new NotYetConnectedException();
    }
  }

  private CompletableFuture<Long> read(long timeout, TimeUnit unit, ByteBuffer... into) {
    for (ByteBuffer each : into) {
      if (each.isReadOnly()) {
        throw new IllegalArgumentException("Read-only buffer");
      }
    }
    requireConnected();
    return reading.begin(new ReadPendingException(), () -> channel.read(into), timeout, unit);
  }

  private CompletableFuture<Long> write(long timeout, TimeUnit unit, ByteBuffer... from) {
    requireConnected();
    return writing.begin(new WritePendingException(), () -> channel.write(from), timeout, unit);
  }

  @Override
  public <A extends @Nullable Object> void read(
      ByteBuffer into,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    requireNonNull(handler, "handler is null");
    group.handle(read(timeout, unit, into).thenApply(Long::intValue), attachment, handler);
  }

  @Override
  public CompletableFuture<Integer> read(ByteBuffer into) {
    return read(0, TimeUnit.SECONDS, into).thenApply(Long::intValue);
  }

  @Override
  public <A extends @Nullable Object> void read(
      ByteBuffer[] into,
      int offset,
      int length,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Long, ? super A> handler) {
    requireNonNull(handler, "handler is null");
    group.handle(read(timeout, unit, part(into, offset, length)), attachment, handler);
  }

  @Override
  public <A extends @Nullable Object> void write(
      ByteBuffer from,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    requireNonNull(handler, "handler is null");
    group.handle(write(timeout, unit, from).thenApply(Long::intValue), attachment, handler);
  }

  @Override
  public CompletableFuture<Integer> write(ByteBuffer from) {
    return write(0, TimeUnit.SECONDS, from).thenApply(Long::intValue);
  }

  @Override
  public <A extends @Nullable Object> void write(
      ByteBuffer[] from,
      int offset,
      int length,
      long timeout,
      TimeUnit unit,
      A attachment,
      CompletionHandler<Long, ? super A> handler) {
    requireNonNull(handler, "handler is null");
    group.handle(write(timeout, unit, part(from, offset, length)), attachment, handler);
  }

  private static ByteBuffer[] part(ByteBuffer[] all, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, all.length);
    return Arrays.copyOfRange(all, offset, offset + length);
  }

  @Override
  public AsynchronousSocketChannel shutdownInput() throws IOException {
    SocketChannel _ = channel.shutdownInput();
    return this;
  }

  @Override
  public AsynchronousSocketChannel shutdownOutput() throws IOException {
    SocketChannel _ = channel.shutdownOutput();
    return this;
  }

  // Addresses, options, the end.

  @Override
  public @Nullable SocketAddress getRemoteAddress() throws IOException {
    return channel.getRemoteAddress();
  }

  @Override
  public @Nullable SocketAddress getLocalAddress() throws IOException {
    return channel.getLocalAddress();
  }

  @Override
  public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    SocketChannel _ = channel.setOption(name, value);
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    return channel.getOption(name);
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return channel.supportedOptions();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    group.closed(this);
  }
}
