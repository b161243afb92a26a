package dev.rondo.io;

import dev.rondo.scheduler.Waitable;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Two one-way streams as one.
///
/// Confined to the scheduler's thread.
final class JoinedStream implements ByteStream {

  private final ByteSource source;
  private final ByteSink sink;
  private final String name;
  private final InputStream input;
  private final OutputStream output;

  JoinedStream(ByteSource source, ByteSink sink, String name) {
    this.source = Objects.requireNonNull(source, "source is null");
    this.sink = Objects.requireNonNull(sink, "sink is null");
    this.name = Objects.requireNonNull(name, "name is null");
    this.input = new Input(source.input());
    this.output = new Output(sink.output());
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    return source.read(dst);
  }

  @Override
  public int tryRead(ByteBuffer dst) throws IOException {
    return source.tryRead(dst);
  }

  @Override
  public void readFully(ByteBuffer dst) throws IOException {
    source.readFully(dst);
  }

  @Override
  public byte @Nullable [] readUntil(byte delimiter, int limitBytes) throws IOException {
    return source.readUntil(delimiter, limitBytes);
  }

  @Override
  public @Nullable String readLine(int limitBytes, Charset charset) throws IOException {
    return source.readLine(limitBytes, charset);
  }

  @Override
  public Waitable<Integer> reading(ByteBuffer dst) {
    return source.reading(dst);
  }

  @Override
  public Waitable<Optional<String>> readingLine(int limitBytes) {
    return source.readingLine(limitBytes);
  }

  @Override
  public Waitable<Integer> readingFully(ByteBuffer dst) {
    return source.readingFully(dst);
  }

  @Override
  public Waitable<ByteStream> readable() {
    return source.readable().map(ignored -> this);
  }

  @Override
  public ByteStream readTimeout(@Nullable Duration timeout) {
    source.readTimeout(timeout);
    return this;
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    return sink.write(src);
  }

  @Override
  public Waitable<ByteStream> writable() {
    return sink.writable().map(ignored -> this);
  }

  @Override
  public ByteStream writeTimeout(@Nullable Duration timeout) {
    sink.writeTimeout(timeout);
    return this;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  /// Closing it closes both.
  @Override
  public OutputStream bufferedOutput(int highWaterBytes) {
    return new Output(sink.bufferedOutput(highWaterBytes));
  }

  @Override
  public boolean isOpen() {
    return source.isOpen() && sink.isOpen();
  }

  @Override
  public void close() throws IOException {
    try (source) {
      sink.close();
    }
  }

  @Override
  public String toString() {
    return "stream to " + name;
  }

  /// Its closing closes both. None of its reads holds a lock.
  private final class Input extends FilterInputStream {

    Input(InputStream beneath) {
      super(beneath);
    }

    @Override
    public void close() throws IOException {
      JoinedStream.this.close();
    }
  }

  /// Its closing closes both.
  private final class Output extends FilterOutputStream {

    Output(OutputStream beneath) {
      super(beneath);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length); // and not byte by byte
    }

    @Override
    public void close() throws IOException {
      try (source) {
        out.close();
      }
    }
  }
}
