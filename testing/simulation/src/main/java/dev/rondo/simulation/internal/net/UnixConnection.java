package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One side of a connection of two Unix sockets, as Linux has it. Written bytes can be read at
/// once.
///
/// | from | to | because |
/// |---|---|---|
/// | UNCONNECTED | CONNECTED | the program connects, or a listener has made it |
/// | UNCONNECTED, CONNECTED | CLOSED | the program has closed it |
public final class UnixConnection extends StreamEndpoint {

  private enum State {
    UNCONNECTED,
    CONNECTED,
    CLOSED
  }

  /// Of the buffer: while more is unread, the socket is not ready to write.
  private static final int QUARTER = 4;

  private final UnixNames names;
  private final ByteQueue received = new ByteQueue();

  private State state = State.UNCONNECTED;
  private @Nullable Path name;
  private @Nullable UnixConnection peer;

  /// Whether reads return the end, after what is there.
  private boolean inputEnded;

  private boolean outputEnded;

  /// Whether the next read fails.
  private boolean reset;

  /// Creates a socket that is not connected.
  ///
  /// @param host whose names it uses
  public UnixConnection(Host host) {
    this(host.unixNames());
  }

  private UnixConnection(UnixNames names) {
    super(BufferSizes.ofUnix());
    this.names = names;
  }

  // Names.

  /// Gives it a name.
  ///
  /// @param wanted empty for none
  /// @throws IOException if another socket has the name
  public void bind(Path wanted) throws IOException {
    if (!wanted.toString().isEmpty()) {
      names.bind(wanted, this);
    }
    name = wanted;
  }

  /// {@return its name, empty if it has none; null if it is not bound}
  public @Nullable Path name() {
    return name;
  }

  /// {@return the peer's name, empty if it has none; null if it was not connected}
  public @Nullable Path peerName() {
    UnixConnection other = peer;
    return other == null ? null : other.name;
  }

  // Connecting.

  /// {@return whether a listener has room for a connection}
  ///
  /// @param to its name
  /// @throws IOException if nothing listens there
  public boolean mayConnect(Path to) throws IOException {
    return names.listener(to).hasRoom();
  }

  /// Connects.
  ///
  /// @param to the name of a listener
  /// @throws IOException if nothing listens there, or too many connections wait there
  public void connect(Path to) throws IOException {
    UnixListener listener = names.listener(to);
    if (!listener.hasRoom()) {
      throw SystemError.TRY_AGAIN.exception();
    }
    if (name == null) {
      name = Path.of("");
    }
    var other = new UnixConnection(names);
    other.name = listener.name();
    join(other);
    other.join(this);
    listener.add(other);
  }

  private void join(UnixConnection other) {
    peer = other;
    state = State.CONNECTED;
  }

  /// Always false: it connects at once or never.
  @Override
  public boolean isConnecting() {
    return false;
  }

  @Override
  public void throwConnectError() {}

  // Bytes.

  @Override
  public boolean isReadable() {
    return !received.isEmpty() || reset || inputEnded;
  }

  @Override
  public boolean hasRoom() {
    return outputEnded || room() > 0;
  }

  private long room() {
    return sizes().send() - unread();
  }

  /// {@return how many bytes the peer has not read}
  private long unread() {
    UnixConnection other = peer;
    return other == null ? 0 : other.received.size();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    int count = received.moveTo(target);
    if (count > 0) {
      UnixConnection other = peer;
      if (other != null) {
        other.changed();
      }
      return count;
    }
    if (reset) {
      reset = false;
      throw SystemError.CONNECTION_RESET.ioException();
    }
    return inputEnded ? -1 : 0;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    UnixConnection other = peer;
    if (outputEnded || other == null) {
      throw SystemError.BROKEN_PIPE.exception();
    }
    int count = Math.clamp(room(), 0, source.remaining());
    if (count > 0) {
      other.received.addFrom(source, count);
      other.changed();
    }
    return count;
  }

  /// Always true: the peer has it, even if it has not read it.
  @Override
  public boolean isFlushed() {
    return true;
  }

  // The end.

  @Override
  public void endInput() {
    end(this, peer);
  }

  @Override
  public void endOutput() {
    end(peer, this);
  }

  private static void end(@Nullable UnixConnection reader, @Nullable UnixConnection writer) {
    if (reader != null) {
      reader.inputEnded = true;
      reader.changed();
    }
    if (writer != null) {
      writer.outputEnded = true;
      writer.changed();
    }
  }

  @Override
  void abort() {
    resetPeer();
    close();
  }

  private void resetPeer() {
    UnixConnection other = peer;
    if (other != null) {
      other.reset = true;
    }
  }

  /// The peer reads the bytes that are there and then the end, or that the connection was reset if
  /// this side has left bytes unread.
  @Override
  public void close() {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    if (!received.isEmpty()) {
      resetPeer();
      received.clear();
    }
    if (name != null) {
      names.closed(name, this);
    }
    endInput();
    endOutput();
  }

  @Override
  public int poll() {
    if (state == State.UNCONNECTED) {
      return OUT | HANG_UP;
    }
    int bits = 0;
    if (!received.isEmpty() || inputEnded) {
      bits |= IN;
    }
    if (unread() * QUARTER <= sizes().send()) {
      bits |= OUT;
    }
    if (reset) {
      bits |= ERROR;
    }
    if (inputEnded && outputEnded) {
      bits |= HANG_UP;
    }
    return bits;
  }
}
