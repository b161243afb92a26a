package dev.rondo.io;

import java.io.IOException;
import java.nio.channels.Pipe;

/// A pipe of the operating system: what is written to the sink comes out of the source. Its two
/// ends may be used by different tasks; closing the sink ends the stream, and writing without a
/// source is a broken connection.
///
/// Confined to the scheduler's thread.
///
/// @param source where the bytes come out
/// @param sink where they go in
public record OsPipe(PipeSource source, PipeSink sink) implements AutoCloseable {

  /// Makes a pipe. Never a suspension point.
  ///
  /// @param io of the current scheduler
  /// @return the pipe, its caller's to close
  /// @throws IOException if the system has no descriptors left; nothing stays open
  public static OsPipe open(WaitForIO io) throws IOException {
    io.requireThread();
    Pipe pipe;
    try {
      pipe = Pipe.open();
    } catch (IOException e) {
      throw Failures.of("open a pipe", e);
    }
    try {
      pipe.source().configureBlocking(false);
      pipe.sink().configureBlocking(false);
      return new OsPipe(new PipeSource(io, pipe.source()), new PipeSink(io, pipe.sink()));
    } catch (IOException | RuntimeException e) {
      pipe.source().close();
      pipe.sink().close();
      throw e;
    }
  }

  /// Closes both ends. Whoever waits is woken with a [ChannelClosedException] at once. Never a
  /// suspension point.
  @Override
  public void close() throws IOException {
    try (sink) {
      source.close();
    }
  }
}
