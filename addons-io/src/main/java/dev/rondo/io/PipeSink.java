package dev.rondo.io;

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

  private final WaitForIO io;
  private final Pipe.SinkChannel channel;
  private final ChannelRegistration registration;
  private final Outbound outbound;
  private final OutputStream output;

  PipeSink(WaitForIO io, Pipe.SinkChannel channel) throws IOException {
    this.io = io;
    this.channel = channel;
    this.registration = new ChannelRegistration(io, channel, "pipe");
    this.outbound = new Outbound(io.scheduler(), channel, registration);
    this.output = new SocketOutput(this, outbound);
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    return outbound.write(src);
  }

  @Override
  public Waitable<PipeSink> writable() {
    return outbound.ready(this);
  }

  @Override
  public PipeSink writeTimeout(@Nullable Duration timeout) {
    outbound.timeout(timeout);
    return this;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public OutputStream bufferedOutput(int highWaterBytes) {
    return new GatheringOutput(this, io.buffers(), highWaterBytes);
  }

  /// Closes this end: the stream ends when the reader has read what is in the pipe. A waiting
  /// writer is woken with a [ChannelClosedException] at once. Never a suspension point. Later calls
  /// do nothing.
  @Override
  public void close() throws IOException {
    io.requireThread();
    registration.close();
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
