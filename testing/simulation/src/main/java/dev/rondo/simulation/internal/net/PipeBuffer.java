package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/// A pipe of one host. Written bytes can be read at once.
public final class PipeBuffer {

  /// As of Linux.
  private static final int CAPACITY = 65_536;

  /// A write of no more than this is done as a whole or not at all (`PIPE_BUF`).
  private static final int ATOMIC_BYTES = 4_096;

  private final ByteQueue bytes = new ByteQueue();
  private final Source source = new Source();
  private final Sink sink = new Sink();
  private boolean sourceClosed;
  private boolean sinkClosed;

  /// Creates a pipe with both ends open.
  public PipeBuffer() {}

  /// {@return the end to read}
  public Source source() {
    return source;
  }

  /// {@return the end to write}
  public Sink sink() {
    return sink;
  }

  /// The end to read.
  public final class Source extends Endpoint {

    private Source() {}

    /// Reads what there is.
    ///
    /// @param target where to
    /// @return how many bytes; 0 if there is nothing yet; -1 at the end
    public int read(ByteBuffer target) {
      if (!target.hasRemaining()) {
        return 0;
      }
      int count = bytes.moveTo(target);
      if (count > 0) {
        sink.changed();
        return count;
      }
      return sinkClosed ? -1 : 0;
    }

    /// {@return whether a read has something to return}
    public boolean isReadable() {
      return sinkClosed || !bytes.isEmpty();
    }

    /// Closes this end: writes fail from now on.
    public void close() {
      sourceClosed = true;
      sink.changed();
    }

    @Override
    public int poll() {
      return (bytes.isEmpty() ? 0 : IN) | (sinkClosed ? HANG_UP : 0);
    }
  }

  /// The end to write.
  public final class Sink extends Endpoint {

    private Sink() {}

    /// Writes what there is room for.
    ///
    /// @param from where from
    /// @return how many bytes
    /// @throws IOException if the other end is closed
    public int write(ByteBuffer from) throws IOException {
      if (sourceClosed) {
        throw SystemError.BROKEN_PIPE.exception();
      }
      int room = room();
      if (from.remaining() > room && from.remaining() <= ATOMIC_BYTES) {
        return 0;
      }
      int count = Math.min(room, from.remaining());
      bytes.addFrom(from, count);
      if (count > 0) {
        source.changed();
      }
      return count;
    }

    /// {@return whether a write has room, or something to throw}
    public boolean hasRoom() {
      return sourceClosed || room() >= ATOMIC_BYTES;
    }

    private int room() {
      return CAPACITY - (int) bytes.size();
    }

    /// Closes this end: reads return what is left, and then the end.
    public void close() {
      sinkClosed = true;
      source.changed();
    }

    @Override
    public int poll() {
      return (room() >= ATOMIC_BYTES ? OUT : 0) | (sourceClosed ? ERROR : 0);
    }
  }
}
