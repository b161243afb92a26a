package dev.rondo.http.internal;

import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.LingeringClose;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The messages of a connection of HTTP/1.1, or of a stream of HTTP/2, with the limits of time.
/// Servers and clients share it.
///
/// Confined to the scheduler's thread.
public abstract class MessageWire {

  /// The name of the protocol on a stream of HTTP/2.
  public static final String HTTP_2 = "HTTP/2";

  /// How long a peer may go on sending when this side has closed a connection, see
  /// [LingeringClose].
  public static final Duration LINGER = Duration.ofSeconds(1);

  protected final Scheduler scheduler;
  protected final ChannelControl channel;
  protected final Duration progress;
  private final boolean stream;
  private boolean broken;

  /// Whether the last part of a message is being sent, or was.
  protected boolean ending;

  /// @param progress how long the peer may take for each part of a body
  /// @param stream whether this is a stream of HTTP/2
  protected MessageWire(
      Scheduler scheduler, ChannelControl channel, Duration progress, boolean stream) {
    this.scheduler = scheduler;
    this.channel = channel;
    this.progress = progress;
    this.stream = stream;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public ChannelControl channel() {
    return channel;
  }

  public Duration progress() {
    return progress;
  }

  /// Whether this is a stream of HTTP/2.
  public final boolean isStream() {
    return stream;
  }

  /// Whether the peer can receive anything.
  public boolean isOpen() {
    return channel.isOpen();
  }

  /// {@return the channel of the connection}
  public Channel connection() {
    Channel own = channel.channel();
    return own instanceof Http2StreamChannel stream ? stream.parent() : own;
  }

  public boolean isSecure() {
    return connection().pipeline().get(SslHandler.class) != null;
  }

  public ByteBuf newBuffer(int bytes) {
    return channel.channel().alloc().buffer(bytes);
  }

  /// Whether a message could not be sent or received.
  public boolean isBroken() {
    return broken;
  }

  /// The peer has ended its direction where it must not.
  public void cutOff() {
    broken = true;
  }

  /// Whether the last part of a message is being sent, or was.
  public boolean isEnding() {
    return ending;
  }

  /// Nothing more has to be said.
  public void ending() {
    ending = true;
  }

  /// Receives what comes next.
  ///
  /// @param late what is thrown if the peer takes too long
  /// @return null if the peer has ended
  public @Nullable Object receive(Duration limit, Supplier<? extends Exception> late)
      throws IOException {
    boolean isHere = channel.messageCount() > 0;
    long deadlineNanos = isHere ? 0 : scheduler.host().deadlineAfter(limit);
    try {
      return channel.receive(limit);
    } catch (TimedOutException e) {
      if (isHere || scheduler.host().nowNanos() - deadlineNanos < 0) {
        throw e; // a limit of the caller's own
      }
      throw thrown(late.get());
    } catch (IOException e) {
      broken = true;
      throw e;
    }
  }

  /// Sends a message, and waits until the peer makes room for it.
  ///
  /// @throws TimedOutException if the peer takes too long
  public void send(Object message) throws IOException {
    try {
      channel.send(message, progress);
    } catch (Throwable e) {
      broken = true;
      throw e;
    }
  }

  /// Sends a message of many. It may be sent a moment later if the peer has made room for it, see
  /// [#awaitLast()]. A *possible* suspension point.
  ///
  /// @throws TimedOutException if the peer takes too long
  public void sendAhead(Object message) throws IOException {
    send(message);
  }

  /// Waits until the last message of [#sendAhead] is sent, or cannot be. A *possible* suspension
  /// point.
  public void awaitLast() {}

  /// Sends the last part of a message.
  public void end(LastHttpContent last) throws IOException {
    ending = true;
    send(last);
  }

  /// Closes the channel so that the peer receives what was said last. A *possible* suspension
  /// point.
  public void close() {
    LingeringClose.install(connection(), LINGER);
    channel.close();
  }

  /// Waits until the peer of a channel that is being closed has ended its direction, too, or the
  /// time of [#LINGER] is over. A *possible* suspension point.
  public void awaitClosed() {
    if (channel.channel().isOpen()) {
      var _ = scheduler.host().awaitEvent(channel.closed());
    }
  }

  /// Never returns; `throw thrown(e)` tells the compiler so.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <X extends Throwable> RuntimeException thrown(Throwable failure) throws X {
    throw (X) failure;
  }

  /// Ends a stream: the peer need not send the rest, or does not receive it.
  public void reset(Http2Error error) {
    try {
      send(new DefaultHttp2ResetFrame(error));
    } catch (IOException | RuntimeException e) {
      // the peer has gone, too
    }
  }
}
