package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.Charset;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The end of an [OsPipe] that is read.
///
/// Confined to the scheduler's thread.
public final class PipeSource implements ByteSource {

  private final WaitForIO io;
  private final Pipe.SourceChannel channel;
  private final ChannelRegistration registration;
  private final Inbound inbound;
  private final InputStream input;

  PipeSource(WaitForIO io, Pipe.SourceChannel channel) throws IOException {
    this.io = io;
    this.channel = channel;
    this.registration = new ChannelRegistration(io, channel, "pipe");
    this.inbound = new Inbound(io.scheduler(), channel, registration);
    this.input = new SocketInput(this, inbound);
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    return inbound.read(dst);
  }

  @Override
  public void readFully(ByteBuffer dst) throws IOException {
    inbound.readFully(dst);
  }

  @Override
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    return inbound.readUntil(delimiter, limitBytes);
  }

  @Override
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    return inbound.readLine(limitBytes, charset);
  }

  @Override
  public Waitable<Integer> reading(ByteBuffer dst) {
    return inbound.reading(dst);
  }

  @Override
  public Waitable<PipeSource> readable() {
    return inbound.ready(this);
  }

  @Override
  public PipeSource readTimeout(@Nullable Duration timeout) {
    inbound.timeout(timeout);
    return this;
  }

  @Override
  public InputStream input() {
    return input;
  }

  /// Closes this end. A waiting reader is woken with a [ChannelClosedException] at once. Never a
  /// suspension point. Later calls do nothing.
  @Override
  public void close() throws IOException {
    io.requireThread();
    inbound.drop();
    registration.close();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public String toString() {
    return "source of " + registration;
  }
}
