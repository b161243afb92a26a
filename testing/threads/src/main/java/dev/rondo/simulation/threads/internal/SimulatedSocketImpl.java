package dev.rondo.simulation.threads.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.threads.internal.net.SocketOptionIds;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The implementation of a `Socket` or `ServerSocket` on a simulated host: a channel of its
/// network, and threads that wait for it as tasks do.
///
/// One thread at a time reads, and one writes; others wait for them, as with the JDK's own.
final class SimulatedSocketImpl extends SocketImpl {

  private final ThreadLoop loop;
  private final boolean server;
  private final ReentrantLock readLock = new ReentrantLock();
  private final ReentrantLock writeLock = new ReentrantLock();

  /// Bytes that were read ahead to see whether there are any.
  private final ByteBuffer ahead = ByteBuffer.allocate(8192).limit(0);

  private boolean atEnd;
  private @Nullable SelectableChannel channel;
  private int timeoutMillis;
  private boolean closed;
  private boolean inputShut;
  private boolean outputShut;

  SimulatedSocketImpl(ThreadLoop loop, boolean server) {
    this.loop = loop;
    this.server = server;
  }

  // Opening.

  @Override
  protected void create(boolean stream) throws IOException {
    if (!stream) {
      throw new SocketException("a simulated host has no datagrams of Socket: use DatagramChannel");
    }
    SelectableChannel opened =
        server ? loop.provider().openServerSocketChannel() : loop.provider().openSocketChannel();
    opened.configureBlocking(false);
    channel = opened;
  }

  private SelectableChannel open() throws SocketException {
    SelectableChannel own = channel;
    if (closed || own == null) {
      throw new SocketException("Socket closed");
    }
    return own;
  }

  private SocketChannel connection() throws SocketException {
    return (SocketChannel) open();
  }

  private ServerSocketChannel listener() throws SocketException {
    return (ServerSocketChannel) open();
  }

  @Override
  protected void bind(InetAddress host, int port) throws IOException {
    // a server binds when it listens: the network does both at once
    if (server) {
      address = host;
      localport = port;
    } else {
      connection().bind(new InetSocketAddress(host, port));
      localport = localPort();
    }
  }

  @Override
  protected void listen(int backlog) throws IOException {
    listener().bind(new InetSocketAddress(address, localport), backlog);
    localport = localPort();
  }

  private int localPort() throws IOException {
    return ((InetSocketAddress) ((NetworkChannel) open()).getLocalAddress()).getPort();
  }

  @Override
  protected void connect(String host, int port) throws IOException {
    connect(new InetSocketAddress(host, port), 0);
  }

  @Override
  protected void connect(InetAddress host, int port) throws IOException {
    connect(new InetSocketAddress(host, port), 0);
  }

  @Override
  protected void connect(SocketAddress remote, int timeout) throws IOException {
    var to = (InetSocketAddress) requireNonNull(remote);
    if (to.isUnresolved()) {
      close();
      throw new UnknownHostException(to.getHostName());
    }
    try {
      connectTo(to, timeout);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
    address = to.getAddress();
    port = to.getPort();
    localport = localPort();
  }

  private void connectTo(InetSocketAddress to, int timeout) throws IOException {
    SocketChannel own = connection();
    try {
      boolean done = own.connect(to);
      long deadline = deadline(timeout);
      while (!done) {
        if (!loop.await(loop.io().connectable(own), left(deadline))) {
          throw new SocketTimeoutException("Connect timed out");
        }
        done = own.finishConnect();
      }
    } catch (ClosedChannelException e) {
      throw new SocketException("Socket closed");
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (InterruptedIOException e) { // of other waits, Socket says so itself
      throw new SocketException("Closed by interrupt");
    }
  }

  @Override
  protected void accept(SocketImpl accepted) throws IOException {
    var into = (SimulatedSocketImpl) accepted;
    readLock.lock();
    try {
      SocketChannel peer = accepted();
      peer.configureBlocking(false);
      into.channel = peer;
      var remote = (InetSocketAddress) peer.getRemoteAddress();
      into.address = remote.getAddress();
      into.port = remote.getPort();
      into.localport = ((InetSocketAddress) peer.getLocalAddress()).getPort();
    } finally {
      readLock.unlock();
    }
  }

  private SocketChannel accepted() throws IOException {
    ServerSocketChannel own = listener();
    long deadline = deadline(timeoutMillis);
    try {
      for (SocketChannel peer; ; ) {
        if ((peer = own.accept()) != null) {
          return peer;
        }
        if (!loop.await(loop.io().acceptable(own), left(deadline))) {
          throw new SocketTimeoutException("Accept timed out");
        }
      }
    } catch (ClosedChannelException e) {
      throw new SocketException("Socket closed");
    }
  }

  // Time.

  /// @param millis zero for none
  private long deadline(int millis) {
    return millis == 0 ? Long.MAX_VALUE : loop.nanos() + Duration.ofMillis(millis).toNanos();
  }

  private @Nullable Duration left(long deadline) {
    return deadline == Long.MAX_VALUE
        ? null
        : Duration.ofNanos(Math.max(0, deadline - loop.nanos()));
  }

  // Bytes.

  @Override
  protected InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        return length == 0 ? 0 : SimulatedSocketImpl.this.read(bytes, offset, length);
      }

      @Override
      public int available() throws IOException {
        return SimulatedSocketImpl.this.available();
      }

      @Override
      public void close() throws IOException {
        SimulatedSocketImpl.this.close();
      }
    };
  }

  @Override
  protected OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        SimulatedSocketImpl.this.write(ByteBuffer.wrap(bytes, offset, length));
      }

      @Override
      public void close() throws IOException {
        SimulatedSocketImpl.this.close();
      }
    };
  }

  private int read(byte[] bytes, int offset, int length) throws IOException {
    readLock.lock();
    try {
      SocketChannel own = connection();
      if (inputShut) {
        return -1;
      }
      if (ahead.hasRemaining()) {
        int count = Math.min(length, ahead.remaining());
        ahead.get(bytes, offset, count);
        return count;
      }
      if (atEnd) {
        return -1;
      }
      ByteBuffer into = ByteBuffer.wrap(bytes, offset, length);
      long deadline = deadline(timeoutMillis);
      for (int count; ; ) {
        if ((count = own.read(into)) != 0) {
          return count;
        }
        if (!loop.await(loop.io().readable(own), left(deadline))) {
          throw new SocketTimeoutException("Read timed out");
        }
      }
    } catch (ClosedChannelException e) {
      if (inputShut && !closed) {
        return -1;
      }
      throw new SocketException("Socket closed");
    } catch (IOException e) {
      throw asOfSocket(e);
    } finally {
      readLock.unlock();
    }
  }

  private void write(ByteBuffer from) throws IOException {
    writeLock.lock();
    try {
      SocketChannel own = connection();
      while (from.hasRemaining()) {
        if (own.write(from) == 0) {
          boolean _ = loop.await(loop.io().writable(own), null);
        }
      }
    } catch (ClosedChannelException e) {
      throw new SocketException(
          outputShut && !closed ? "Socket output is shutdown" : "Socket closed");
    } catch (IOException e) {
      throw asOfSocket(e);
    } finally {
      writeLock.unlock();
    }
  }

  /// Channels throw a plain [IOException] where sockets have their own.
  private static IOException asOfSocket(IOException failure) {
    if (failure.getClass() != IOException.class) {
      return failure;
    }
    var same = new SocketException(failure.getMessage());
    same.initCause(failure);
    return same;
  }

  @Override
  protected int available() throws IOException {
    SocketChannel own = connection();
    if (inputShut) {
      return 0;
    }
    if (!readLock.tryLock()) {
      return 0; // another thread waits for the next byte
    }
    try {
      if (!ahead.hasRemaining() && !atEnd) {
        ahead.clear();
        atEnd = own.read(ahead) < 0;
        ahead.flip();
      }
      return ahead.remaining();
    } catch (IOException e) {
      ahead.position(0).limit(0);
      return 0; // the next read fails
    } finally {
      readLock.unlock();
    }
  }

  @Override
  protected void close() throws IOException {
    if (!closed) {
      closed = true;
      SelectableChannel own = channel;
      if (own != null) {
        if (own instanceof SocketChannel connection && connection.isConnected()) {
          endOutput(connection);
        }
        loop.io().close(own);
      }
    }
  }

  /// As the JDK does it: the peer reads the end, even if a reset follows because of unread bytes.
  private void endOutput(SocketChannel connection) throws IOException {
    if (connection.getOption(StandardSocketOptions.SO_LINGER) != 0) {
      SocketChannel _ = connection.shutdownOutput();
    }
    if (ahead.hasRemaining()) {
      // to the network these are read: without this it would end in order
      SocketChannel _ = connection.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
  }

  @Override
  protected void shutdownInput() throws IOException {
    if (!inputShut) {
      inputShut = true;
      connection().shutdownInput();
    }
  }

  @Override
  protected void shutdownOutput() throws IOException {
    if (!outputShut) {
      outputShut = true;
      connection().shutdownOutput();
    }
  }

  @Override
  protected void sendUrgentData(int data) throws IOException {
    throw new SocketException("a simulated network has no urgent data");
  }

  // Options.

  @Override
  public void setOption(int id, Object value) throws SocketException {
    NetworkChannel own = (NetworkChannel) open();
    if (id == SO_TIMEOUT) {
      timeoutMillis = (Integer) value;
    } else {
      SocketOptionIds.set(own, id, value);
    }
  }

  @Override
  public Object getOption(int id) throws SocketException {
    NetworkChannel own = (NetworkChannel) open();
    return id == SO_TIMEOUT ? timeoutMillis : SocketOptionIds.get(own, id);
  }

  @Override
  protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
    ((NetworkChannel) open()).setOption(name, value);
  }

  @Override
  protected <T> T getOption(SocketOption<T> name) throws IOException {
    return ((NetworkChannel) open()).getOption(name);
  }

  @Override
  protected Set<SocketOption<?>> supportedOptions() {
    return channel instanceof NetworkChannel own ? own.supportedOptions() : Set.of();
  }
}
