package dev.rondo.simulation.threads.internal.net;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A listener that accepts asynchronously.
final class AsyncListener extends AsynchronousServerSocketChannel {

  private final AsyncGroup group;
  private final ServerSocketChannel channel;
  private boolean accepting;

  AsyncListener(AsyncGroup group, ServerSocketChannel channel) throws IOException {
    super(group.provider());
    this.group = group;
    this.channel = channel;
    group.opened(this);
  }

  @Override
  public AsynchronousServerSocketChannel bind(@Nullable SocketAddress local, int backlog)
      throws IOException {
    ServerSocketChannel _ = channel.bind(local, backlog);
    return this;
  }

  @Override
  public <A extends @Nullable Object> void accept(
      A attachment, CompletionHandler<AsynchronousSocketChannel, ? super A> handler) {
    group.handle(accept(), attachment, requireNonNull(handler, "handler is null"));
  }

  @Override
  public CompletableFuture<AsynchronousSocketChannel> accept() {
    if (!isOpen()) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    if (channel.socket().getLocalPort() < 0) {
      throw new NotYetBoundException();
    }
    if (accepting) {
      throw new AcceptPendingException();
    }
    accepting = true;
    return AsyncGroup.<AsynchronousSocketChannel>begin(
        "accept",
        this,
        () -> {
          try {
            return new AsyncSocket(group, channel.accept());
          } finally {
            accepting = false;
          }
        });
  }

  @Override
  public <T> AsynchronousServerSocketChannel setOption(SocketOption<T> name, T value)
      throws IOException {
    ServerSocketChannel _ = channel.setOption(name, value);
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
  public @Nullable SocketAddress getLocalAddress() throws IOException {
    return channel.getLocalAddress();
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
