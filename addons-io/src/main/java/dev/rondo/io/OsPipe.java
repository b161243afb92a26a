package dev.rondo.io;

import dev.rondo.io.internal.channel.Reactor;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.util.Objects;

/// A pipe of the operating system: bytes written to the sink are read from the source. Different
/// tasks may use the two ends. Closing the sink ends the stream; a write after the source was
/// closed fails with a [ConnectionResetException].
///
/// Confined to the scheduler's thread.
///
/// @param source the end that is read
/// @param sink the end that is written to
public record OsPipe(PipeSource source, PipeSink sink) implements AutoCloseable {

  /// Opens a pipe. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @return the pipe, which the caller closes
  /// @throws IOException if the system has no descriptors left; nothing stays open
  public static OsPipe open(WaitForIO io) throws IOException {
    Objects.requireNonNull(io, "io is null");
    Reactor reactor = io.reactor();
    reactor.checkThread();
    Pipe pipe;
    try {
      pipe = reactor.provider().openPipe();
    } catch (IOException e) {
      throw IoFailures.INSTANCE.of("open a pipe", e);
    }
    try {
      pipe.source().configureBlocking(false);
      pipe.sink().configureBlocking(false);
      return new OsPipe(new PipeSource(reactor, pipe.source()), new PipeSink(reactor, pipe.sink()));
    } catch (IOException | RuntimeException e) {
      pipe.source().close();
      pipe.sink().close();
      throw e;
    }
  }

  /// Closes both ends. Waits fail at once with a [ChannelClosedException]. Never a suspension
  /// point.
  @Override
  public void close() throws IOException {
    try (sink) {
      source.close();
    }
  }
}
