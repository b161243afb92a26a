package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/// One side of a connection that carries bytes in both directions.
public abstract class StreamEndpoint extends Endpoint {

  private static final int NO_LINGER = -1;

  private final BufferSizes sizes;
  private int lingerSeconds = NO_LINGER;

  StreamEndpoint(BufferSizes sizes) {
    this.sizes = sizes;
  }

  /// {@return the sizes of its buffers}
  public final BufferSizes sizes() {
    return sizes;
  }

  /// Sets `SO_SNDBUF`: there may be room now, as there is in Linux.
  ///
  /// @param bytes its size
  public final void sendBuffer(int bytes) {
    sizes.send(bytes);
    changed();
  }

  /// Sets `SO_LINGER`.
  ///
  /// @param seconds negative for none
  public final void linger(int seconds) {
    lingerSeconds = seconds;
  }

  /// {@return `SO_LINGER`, negative for none}
  public final int linger() {
    return lingerSeconds;
  }

  /// {@return whether the peer has not answered yet}
  public abstract boolean isConnecting();

  /// Reports a failure to connect that waits to be reported.
  ///
  /// @throws IOException if there is one
  public abstract void throwConnectError() throws IOException;

  /// {@return whether a read has something to return or to throw}
  public abstract boolean isReadable();

  /// {@return whether a write has room, or something to throw}
  public abstract boolean hasRoom();

  /// Reads what there is.
  ///
  /// @param target where to
  /// @return how many bytes; 0 if there is nothing yet; -1 at the end
  /// @throws IOException if the connection has failed; reported once
  public abstract int read(ByteBuffer target) throws IOException;

  /// Writes what there is room for.
  ///
  /// @param source where from
  /// @return how many bytes
  /// @throws IOException if the connection has failed, or this side has ended its output
  public abstract int write(ByteBuffer source) throws IOException;

  /// {@return whether the peer has taken all that was written}
  public abstract boolean isFlushed();

  /// Ends this side's input: reads return the end.
  public abstract void endInput();

  /// Ends this side's output: the peer reads the end after all that was written.
  public abstract void endOutput();

  /// Ends the connection, because no program will have it.
  abstract void abort();

  /// The program has closed the socket.
  public abstract void close();
}
