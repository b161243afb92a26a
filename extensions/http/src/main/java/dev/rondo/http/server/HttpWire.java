package dev.rondo.http.server;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.TimedOutException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The server's end of an HTTP/1.1 connection or an HTTP/2 stream.
///
/// Confined to the scheduler's thread.
final class HttpWire extends MessageWire {

  /// Null for a stream, whose codec knows which responses have no body.
  private final @Nullable ResponseEncoder encoder;

  /// Whether [UsualHeaders] are sent as they are. Netty converts the messages of a stream with a
  /// channel.
  final boolean encodesUsual;

  /// See [HttpServer#waitsForEnds].
  private final boolean waits;

  /// The last write of a response, if it may not be done yet.
  private @Nullable ChannelFuture last;

  private final LastWrites lastWrites;

  /// Since when that write is awaited.
  long lastNanos;

  /// See [HttpResponder#isCutShort].
  boolean cutShort;

  private boolean clientEnded;
  private @Nullable Runnable onClientEnd;

  /// The HTTP/2 stream if it has no channel; null for a stream with a channel and for HTTP/1.1.
  private final @Nullable Http2PlainStream plain;

  /// @param channel of the stream, or of the connection
  /// @param lastWrites of the connection
  /// @param plain the stream if it has no channel; null for a stream with a channel and for
  ///   HTTP/1.1
  HttpWire(
      HttpServer server,
      ChannelControl channel,
      LastWrites lastWrites,
      @Nullable Http2PlainStream plain) {
    super(
        server.scheduler,
        channel,
        server.limits.progress(),
        plain != null || channel.channel() instanceof Http2StreamChannel);
    this.lastWrites = lastWrites;
    this.plain = plain;
    this.waits = server.waitsForEnds;
    this.encoder = plain == null ? channel.channel().pipeline().get(ResponseEncoder.class) : null;
    this.encodesUsual = plain != null || encoder != null;
  }

  @Override
  public boolean isOpen() {
    return super.isOpen() && (plain == null || !plain.isClosed());
  }

  @Override
  public void send(Object message) throws IOException {
    Http2PlainStream stream = plain;
    if (stream == null) {
      super.send(message);
      return;
    }
    try {
      super.send(stream.frame(message));
    } catch (Throwable e) {
      cutOff();
      throw thrown(stream.notSent(e));
    }
  }

  /// Sends a message, and waits only until the channel takes it.
  ///
  /// @return the future of the write
  /// @throws TimedOutException if that takes too long
  private ChannelFuture sendSoon(Object message) throws IOException {
    Http2PlainStream stream = plain;
    try {
      return channel.sendSoon(stream == null ? message : stream.frame(message), progress);
    } catch (Throwable e) {
      cutOff();
      throw thrown(stream == null ? e : stream.notSent(e));
    }
  }

  /// Writes a part of a body without waiting, outside of tasks.
  ///
  /// @return the future of the write
  ChannelFuture writeNow(HttpContent part) {
    Http2PlainStream stream = plain;
    Channel own = channel.channel();
    try {
      return own.writeAndFlush(stream == null ? part : stream.frame(part));
    } catch (ConnectionResetException e) {
      return own.newFailedFuture(e);
    }
  }

  /// Sets an action for the end of an HTTP/1.1 client's direction; it runs at once if the direction
  /// has ended.
  void onClientEnd(Runnable action) {
    if (clientEnded) {
      action.run();
    } else {
      onClientEnd = action;
    }
  }

  /// The HTTP/1.1 client has ended its direction.
  void clientEnded() {
    clientEnded = true;
    Runnable action = onClientEnd;
    if (action != null && !isEnding()) {
      action.run();
    }
  }

  /// Whether the HTTP/1.1 client has ended its direction.
  boolean hasClientEnded() {
    return clientEnded;
  }

  /// An HTTP/1.1 request is here.
  void nextRequest() {
    ending = false;
    onClientEnd = null;
  }

  /// Whether the system can send files on this wire by itself.
  boolean sendsFiles() {
    return !isStream() && !isSecure();
  }

  /// {@return the tunnel of an extended CONNECT; null if this is another request}
  @Nullable Http2Tunnel tunnel() {
    return plain == null ? channel.channel().pipeline().get(Http2Tunnel.class) : null;
  }

  /// Receives the next part of a body.
  ///
  /// @throws HttpStatusException if the client takes too long
  @Nullable Object receivePart() throws IOException {
    return receive(
        progress,
        () ->
            new HttpStatusException(
                HttpResponseStatus.REQUEST_TIMEOUT, "the body did not arrive in time"));
  }

  /// Sends a response, or its head.
  ///
  /// @param headOnly whether the client wants no body
  void begin(HttpResponse response, boolean headOnly) throws IOException {
    ResponseEncoder own = encoder;
    if (headOnly && own != null) {
      own.headOnly();
    }
    ending = false;
    send(response);
  }

  /// Sends the last part of a response, or a whole response. It may be sent a moment later, when
  /// its task has ended.
  @Override
  public void end(LastHttpContent part) throws IOException {
    if (waits) {
      super.end(part);
    } else {
      ending = true;
      last = sendSoon(part);
    }
  }

  /// Writes one of many messages at once, and waits only if the client has no room for it.
  /// Otherwise the message may be sent a moment later, see [#awaitLast()]. A *possible* suspension
  /// point, behind the write.
  ///
  /// @throws TimedOutException if the client takes too long
  @Override
  public void sendAhead(Object message) throws IOException {
    ChannelFuture done = channel.sendNow(message);
    if (waits || isStream() || done.isDone()) { // a stream is flushed together with others
      awaitSent(done);
      return;
    }
    last = done;
    if (channel.channel().isWritable()) {
      return;
    }
    try {
      var _ = scheduler.host().awaitEvent(channel.sendable(), progress);
    } catch (Throwable e) {
      cutOff();
      throw e;
    }
    Throwable cause = done.cause();
    if (cause != null) {
      cutOff();
      throw new ConnectionResetException("send to " + channel + ": the client has gone", cause);
    }
  }

  /// Whether the end of the response was sent or has failed, or no response was to be sent.
  boolean isLastDone() {
    ChannelFuture own = last;
    return own == null || own.isDone();
  }

  /// Waits until the end of the response was sent or has failed.
  @Override
  public void awaitLast() {
    ChannelFuture own = last;
    if (own == null || own.isSuccess()) {
      return;
    }
    try {
      var _ = scheduler.host().awaitEvent(WaitForNetty.on(scheduler).waitable(own), progress);
    } catch (Throwable e) {
      cutOff();
      if (own.cause() != e && !(e instanceof TimedOutException)) {
        throw thrown(e);
      }
    } finally {
      last = null;
    }
  }

  /// Runs an action when the end of the response was sent or has failed, at once if that is so
  /// already. A client that takes too long receives no more.
  ///
  /// @param action called on the scheduler's thread, in a task or not
  void whenLastIsDone(Runnable action) {
    ChannelFuture own = last;
    if (own == null || own.isDone()) {
      action.run();
      return;
    }
    Http2PlainStream stream = plain;
    if (stream == null) {
      own.addListener(done -> action.run());
    } else {
      stream.whenClosed(action); // as it is with that write, which has listeners of Netty's already
    }
    lastWrites.add(this);
  }

  /// The client has taken too long.
  void endLate() {
    if (plain != null) {
      plain.reset(Http2Error.INTERNAL_ERROR);
      return;
    }
    Channel own = channel.channel();
    if (isStream()) {
      own.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    }
    own.close();
  }
}
