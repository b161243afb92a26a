package dev.rondo.http.internal;

import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.LingeringClose;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The messages of an HTTP/1.1 connection or of an HTTP/2 stream, with their time limits. Servers
/// and clients share it.
///
/// Confined to the scheduler's thread.
public abstract class MessageWire {

  /// The name of the protocol on an HTTP/2 stream.
  public static final String HTTP_2 = "HTTP/2";

  /// The time that a peer may go on sending after this side has closed the connection, see
  /// [LingeringClose].
  public static final Duration LINGER = Duration.ofSeconds(1);

  protected final Scheduler scheduler;
  protected final ChannelControl channel;
  protected final Duration progress;
  private final boolean stream;
  private boolean broken;

  /// Whether the last part of a message is being sent, or was.
  protected boolean ending;

  /// @param progress the time that the peer has for each part of a body
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

  /// Whether the peer can receive messages.
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

  /// The peer has ended its direction too early.
  public void cutOff() {
    broken = true;
  }

  /// Whether the last part of a message is being sent, or was.
  public boolean isEnding() {
    return ending;
  }

  /// This side has no more to send.
  public void ending() {
    ending = true;
  }

  /// Receives the next message.
  ///
  /// @param late makes the exception that is thrown if the peer takes too long
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

  /// Sends one of many messages. It is written at once, whether or not the peer has room for it. If
  /// the peer has room, the message may be sent a moment later, see [#awaitLast()]. A *possible*
  /// suspension point, behind the write.
  ///
  /// @throws TimedOutException if the peer takes too long
  public void sendAhead(Object message) throws IOException {
    awaitSent(channel.sendNow(message));
  }

  /// Waits until a message that is written was sent.
  protected final void awaitSent(ChannelFuture done) throws IOException {
    try {
      channel.awaitSent(done, progress);
    } catch (Throwable e) {
      broken = true;
      throw e;
    }
  }

  /// Waits until the last message of [#sendAhead] was sent or has failed. A *possible* suspension
  /// point.
  public void awaitLast() {}

  /// Sends the last part of a message.
  public void end(LastHttpContent last) throws IOException {
    ending = true;
    send(last);
  }

  /// Closes the channel so that the peer receives the last bytes. A *possible* suspension point.
  public void close() {
    channel.close(connection(), LINGER);
  }

  /// After the close of this side: waits until the peer has ended its direction too, or [#LINGER]
  /// is over. A *possible* suspension point.
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

  /// Resets a stream, because the peer need not send the rest or does not receive it.
  public void reset(Http2Error error) {
    try {
      send(new DefaultHttp2ResetFrame(error));
    } catch (IOException | RuntimeException e) {
      // the peer has gone, too
    }
  }
}
