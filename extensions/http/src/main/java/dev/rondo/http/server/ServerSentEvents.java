package dev.rondo.http.server;

import dev.rondo.http.internal.CompressedBody;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A response that is a sequence of events, for `EventSource` in a browser. Made by
/// [HttpExchange#events].
///
/// While the handler is silent, the server sends a comment from time to time. Thus intermediaries
/// keep the connection, and the server notices when the client has gone. Confined to the
/// scheduler's thread, and to the task of the request.
public final class ServerSentEvents implements AutoCloseable {

  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final HttpWire wire;
  private final Channel channel;
  private final OutputStream out;
  private final @Nullable Future<?> timer;
  private Future<?> lastComment;

  /// Whether an event was sent since the timer fired last.
  private boolean fresh;

  /// Whether an event is being sent, perhaps in parts.
  private boolean sending;

  /// @param heartbeats whether the client receives a body
  ServerSentEvents(HttpWire wire, OutputStream out, Duration heartbeat, boolean heartbeats) {
    this.wire = wire;
    this.channel = wire.channel().channel();
    this.out = out;
    this.lastComment = channel.newSucceededFuture();
    long nanos = heartbeat.toNanos();
    this.timer =
        heartbeats
            ? channel
                .eventLoop()
                .scheduleAtFixedRate(this::beat, nanos, nanos, TimeUnit.NANOSECONDS)
            : null;
  }

  private void beat() {
    if (!fresh && !sending && !wire.isBroken() && channel.isWritable() && lastComment.isDone()) {
      byte[] comment = out instanceof CompressedBody body ? body.compressed(COMMENT) : COMMENT;
      lastComment = wire.writeNow(new DefaultHttpContent(Unpooled.wrappedBuffer(comment)));
    }
    fresh = false;
  }

  /// Sends an event without a name. A *possible* suspension point.
  ///
  /// @param data may have several lines
  /// @throws IOException if the client has gone
  public void send(String data) throws IOException {
    Objects.requireNonNull(data, "data is null");
    transmit(new StringBuilder(), data);
  }

  /// Sends an event. A *possible* suspension point.
  ///
  /// @param name without line breaks
  /// @param id without line breaks; a client that connects again sends it as `Last-Event-ID`. Empty
  ///   for none
  /// @param data may have several lines
  /// @throws IllegalArgumentException if the name or the id has a line break
  /// @throws IOException if the client has gone
  public void send(String name, String id, String data) throws IOException {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(id, "id is null");
    Objects.requireNonNull(data, "data is null");
    var event = new StringBuilder();
    if (!id.isEmpty()) {
      event.append("id: ").append(line("id", id)).append('\n');
    }
    transmit(event.append("event: ").append(line("name", name)).append('\n'), data);
  }

  private static String line(String what, String value) {
    if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the %s of an event is one line".formatted(what));
    }
    return value;
  }

  private void transmit(StringBuilder event, String data) throws IOException {
    for (String each : data.split("\r\n|\r|\n", -1)) {
      event.append("data: ").append(each).append('\n');
    }
    sending = true;
    try {
      out.write(event.append('\n').toString().getBytes(StandardCharsets.UTF_8));
      out.flush();
    } finally {
      sending = false;
      fresh = true;
    }
  }

  /// Ends the sequence. The response ends when the handler returns. A *possible* suspension point.
  ///
  /// @throws IOException if the client has gone
  @Override
  public void close() throws IOException {
    stop();
    out.close();
  }

  /// No comment is sent from now on.
  void stop() {
    Future<?> beating = timer;
    if (beating != null) {
      boolean _ = beating.cancel(false);
    }
  }
}
