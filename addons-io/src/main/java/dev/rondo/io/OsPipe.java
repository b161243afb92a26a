package dev.rondo.io;

import dev.rondo.io.internal.channel.Reactor;
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
    Reactor reactor = io.reactor();
    reactor.checkThread();
    Pipe pipe;
    try {
      pipe = Pipe.open();
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

  /// Closes both ends. Whoever waits is woken with a [ChannelClosedException] at once. Never a
  /// suspension point.
  @Override
  public void close() throws IOException {
    try (sink) {
      source.close();
    }
  }
}
