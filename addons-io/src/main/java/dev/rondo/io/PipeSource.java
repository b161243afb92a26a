package dev.rondo.io;

import dev.rondo.io.internal.channel.ChannelInput;
import dev.rondo.io.internal.channel.ChannelRegistration;
import dev.rondo.io.internal.channel.LeakWatch;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.io.internal.channel.StreamReader;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The end of an [OsPipe] that is read.
///
/// Confined to the scheduler's thread.
public final class PipeSource implements ByteSource {

  private final Reactor reactor;
  private final Pipe.SourceChannel channel;
  private final ChannelRegistration registration;
  private final StreamReader reader;
  private final InputStream input;
  private final LeakWatch.Guard guard;

  PipeSource(Reactor reactor, Pipe.SourceChannel channel) throws IOException {
    this.reactor = reactor;
    this.channel = channel;
    this.registration = reactor.register(channel, "pipe");
    this.reader = new StreamReader(channel, registration);
    this.input = new ChannelInput(this, reader);
    reader.belongsTo(this);
    this.guard = registration.watch(this, registration::close);
    guard.openedHere();
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    return reader.read(dst);
  }

  @Override
  public int tryRead(ByteBuffer dst) throws IOException {
    return reader.tryRead(dst);
  }

  @Override
  public void readFully(ByteBuffer dst) throws IOException {
    reader.readFully(dst);
  }

  @Override
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    return reader.readUntil(delimiter, limitBytes);
  }

  @Override
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    return reader.readLine(limitBytes, charset);
  }

  @Override
  public Waitable<Integer> reading(ByteBuffer dst) {
    return reader.reading(dst);
  }

  @Override
  public Waitable<Optional<String>> readingLine(int limitBytes) {
    return reader.readingLine(limitBytes, StandardCharsets.UTF_8);
  }

  @Override
  public Waitable<Integer> readingFully(ByteBuffer dst) {
    return reader.readingFully(dst);
  }

  @Override
  public Waitable<PipeSource> readable() {
    return reader.ready(this);
  }

  @Override
  public PipeSource readTimeout(@Nullable Duration timeout) {
    reader.timeout(timeout);
    return this;
  }

  @Override
  public InputStream input() {
    return input;
  }

  /// Closes this end. A waiting reader fails at once with a [ChannelClosedException]. Never a
  /// suspension point. Later calls do nothing.
  @Override
  public void close() throws IOException {
    reactor.checkThread();
    reader.drop();
    guard.close();
    boolean _ = reactor.releaseClosed(); // so that the next write finds it closed
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
