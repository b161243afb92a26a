package dev.rondo.io;

import dev.rondo.io.internal.channel.BufferedChannelOutput;
import dev.rondo.io.internal.channel.ChannelOutput;
import dev.rondo.io.internal.channel.ChannelRegistration;
import dev.rondo.io.internal.channel.LeakWatch;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.io.internal.channel.StreamWriter;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The end of an [OsPipe] that is written to.
///
/// Confined to the scheduler's thread.
public final class PipeSink implements ByteSink {

  private final Reactor reactor;
  private final Pipe.SinkChannel channel;
  private final ChannelRegistration registration;
  private final StreamWriter writer;
  private final OutputStream output;
  private final LeakWatch.Guard guard;

  PipeSink(Reactor reactor, Pipe.SinkChannel channel) throws IOException {
    this.reactor = reactor;
    this.channel = channel;
    this.registration = reactor.register(channel, "pipe");
    this.writer = new StreamWriter(channel, registration);
    this.output = new ChannelOutput(this, writer);
    writer.belongsTo(this);
    this.guard = registration.watch(this, registration::close);
    guard.openedHere();
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    return writer.write(src);
  }

  @Override
  public Waitable<PipeSink> writable() {
    return writer.ready(this);
  }

  @Override
  public PipeSink writeTimeout(@Nullable Duration timeout) {
    writer.timeout(timeout);
    return this;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public OutputStream bufferedOutput(int highWaterBytes) {
    return new BufferedChannelOutput(this, reactor, highWaterBytes);
  }

  /// Closes this end. The reader reads the bytes in the pipe, then the end of the stream. A waiting
  /// writer fails at once with a [ChannelClosedException]. Never a suspension point. Later calls do
  /// nothing.
  @Override
  public void close() throws IOException {
    reactor.checkThread();
    guard.close();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public String toString() {
    return "sink of " + registration;
  }
}
