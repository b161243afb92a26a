package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A TCP socket that accepts connections. Made by [WaitForIO#listen(int)].
///
/// Confined to the scheduler's thread.
public final class TcpListener implements AutoCloseable {

  private final Scheduler scheduler;
  private final WaitForIO io;
  private final ServerSocketChannel channel;
  private final InetSocketAddress localAddress;
  private final Registration registration;

  private TcpListener(Scheduler scheduler, WaitForIO io, ServerSocketChannel channel)
      throws IOException {
    this.scheduler = scheduler;
    this.io = io;
    this.channel = channel;
    this.localAddress = (InetSocketAddress) channel.getLocalAddress();
    this.registration = new Registration(io, channel, toString());
  }

  static TcpListener open(Scheduler scheduler, WaitForIO io, SocketAddress address, int backlog)
      throws IOException {
    if (backlog < 1) {
      throw new IllegalArgumentException("backlog must be at least 1: backlog=" + backlog);
    }
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      throw new IllegalArgumentException(
          "address must be resolved, with resolve(..) for instance: address=" + address);
    }
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.bind(address, backlog);
      return new TcpListener(scheduler, io, channel);
    } catch (IOException e) {
      channel.close();
      throw Failures.of("listen on " + address, e);
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// Accepts a connection. A *possible* suspension point: an eager operation.
  ///
  /// @return the connection, its caller's to close
  /// @throws ChannelClosedException if the listener is closed, before or meanwhile
  /// @throws IllegalStateException if another task waits to accept here; it goes on waiting
  /// @throws IOException if the system cannot, for want of descriptors for instance; the connection
  ///   waits
  public TcpSocket accept() throws IOException {
    var accept = new Accept();
    TcpSocket socket;
    do {
      scheduler.await(accept);
      socket = accept.take();
    } while (socket == null); // scheduled directly: there is nothing to return yet
    return socket;
  }

  /// {@return accepting a connection, to be awaited with a limit or together with other things}
  /// Losing leaves the connection where it is. What comes out of the wait is as in [#accept()].
  public Waitable<TcpSocket> accepting() {
    return Waitable.guard(() -> {
      var accept = new Accept();
      return accept.map(ignored -> accept.taken());
    });
  }

  private final class Accept extends ChannelWait {

    private @Nullable TcpSocket accepted;

    Accept() {
      super(TcpListener.this.registration, SelectionKey.OP_ACCEPT);
    }

    @Override
    boolean attempt() throws IOException {
      SocketChannel connection = channel.accept();
      if (connection == null) {
        return false;
      }
      accepted = TcpSocket.of(scheduler, io, connection);
      return true;
    }

    @Nullable TcpSocket take() throws IOException {
      throwIfFailed();
      return accepted;
    }

    TcpSocket taken() {
      TcpSocket socket = WaitForIO.result(this, accepted);
      if (socket == null) {
        throw new AssertionError("accepted nothing: " + this);
      }
      return socket;
    }

    @Override
    public String toString() {
      return "accept on " + registration;
    }
  }

  /// Stops listening and frees the port at once. A waiting acceptor is woken with a
  /// [ChannelClosedException]. Connections that were not accepted are reset. Never a suspension
  /// point. Later calls do nothing.
  @Override
  public void close() throws IOException {
    io.requireThread();
    if (channel.isOpen()) {
      registration.close();
      io.flush();
    }
  }

  /// {@return whether it is not closed} Never a suspension point.
  public boolean isOpen() {
    return channel.isOpen();
  }

  /// {@return where it listens, also after it was closed} Never a suspension point.
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  /// {@return the port it listens on} Never a suspension point.
  public int port() {
    return localAddress.getPort();
  }

  /// Sets an option of the system, as [ServerSocketChannel#setOption] does. A receive buffer's size
  /// is inherited by what is accepted. Never a suspension point.
  ///
  /// @param <T> the option's kind of value
  /// @param option for instance `StandardSocketOptions.SO_RCVBUF`
  /// @param value as the option asks for
  /// @return this listener
  /// @throws ChannelClosedException if it is closed
  /// @throws UnsupportedOperationException if listeners have no such option
  /// @throws IOException if the system refuses
  public <T> TcpListener set(SocketOption<T> option, T value) throws IOException {
    io.requireThread();
    try {
      channel.setOption(option, value);
      return this;
    } catch (ClosedChannelException e) {
      throw new ChannelClosedException("set " + option + " of " + this + ": it is closed");
    }
  }

  @Override
  public String toString() {
    return "listener " + Addresses.text(localAddress);
  }
}
