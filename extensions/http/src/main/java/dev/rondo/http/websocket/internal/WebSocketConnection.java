package dev.rondo.http.websocket.internal;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.http.websocket.PreparedMessage;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketMessage;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.SocketSender;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A [WebSocket] of a server or of a client.
///
/// Confined to the scheduler's thread.
public final class WebSocketConnection implements WebSocket {

  /// The time that a peer has to answer a close.
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final Scheduler scheduler;
  private final MessageWire wire;

  private final ChannelControl channel;

  /// The shortest way to the socket. With very many sockets the pipeline's objects are not in the
  /// processor's caches. Null if the pipeline must send.
  private final @Nullable SocketSender socket;

  private final @Nullable String subprotocol;
  private final WebSocketEnd end;
  private final WebSocketArrival arrival;
  private final Waitable<@Nullable WebSocketMessage> receiving;

  /// Whether this side has sent a close.
  private boolean closeSent;

  /// The write of a close that no task has awaited; null for none.
  private @Nullable ChannelFuture answer;

  private @Nullable WebSocketCloseStatus peersClose;
  private boolean closed;

  public WebSocketConnection(
      Scheduler scheduler,
      MessageWire wire,
      @Nullable String subprotocol,
      WebSocketEnd end,
      WebSocketArrival arrival) {
    this.scheduler = scheduler;
    this.wire = wire;
    this.channel = wire.channel();
    this.socket = straight(scheduler, channel.channel());
    this.subprotocol = subprotocol;
    this.end = end;
    this.arrival = arrival;
    this.receiving = channel.receiving().map(this::taken);
  }

  /// {@return the sender that bypasses a channel's pipeline; null if there is none, or if a handler
  /// must see the bytes, as TLS must}
  private static @Nullable SocketSender straight(Scheduler scheduler, Channel channel) {
    return LoopControl.of(scheduler.host()).backend().sharesThread()
            && SocketSender.passesUnchanged(channel)
        ? SocketSender.of(channel)
        : null;
  }

  @Override
  public @Nullable String subprotocol() {
    return subprotocol;
  }

  @Override
  public @Nullable WebSocketMessage receive() throws IOException {
    return taken(channel.receive());
  }

  @Override
  public Waitable<@Nullable WebSocketMessage> receiving() {
    return receiving;
  }

  /// Runs in the task that has received a message or the close.
  private @Nullable WebSocketMessage taken(@Nullable Object received) {
    end.received();
    arrival.received();
    try {
      return switch (received) {
        case WebSocketMessage message -> message;
        case CloseWebSocketFrame close -> {
          peerCloses(close);
          yield null;
        }
        case null -> {
          wire.cutOff();
          throw MessageWire.<RuntimeException>thrown(
              new ConnectionResetException(
                  "the peer has gone without closing the socket", new EOFException()));
        }
        default -> throw new IllegalStateException("an unexpected frame: " + received);
      };
    } finally {
      ReferenceCountUtil.release(received);
    }
  }

  private void peerCloses(CloseWebSocketFrame close) {
    int code = close.statusCode();
    WebSocketCloseStatus status =
        code < 0
            ? WebSocketCloseStatus.EMPTY
            : new WebSocketCloseStatus(code, close.reasonText(), false);
    peersClose = status;
    end.known();
    wire.ending();
    if (!closeSent) { // without a wait: the caller is woken before the tasks that send
      answerClose(code < 0 ? new CloseWebSocketFrame() : new CloseWebSocketFrame(status));
    }
  }

  private void answerClose(CloseWebSocketFrame frame) {
    closeSent = true;
    answer = channel.sendAtOnce(WebSocketBytes.control(memory(), frame));
  }

  private void sayClose(CloseWebSocketFrame frame) throws IOException {
    if (closeSent) {
      frame.release();
      awaitAnswer();
      wire.awaitLast();
    } else {
      closeSent = true;
      wire.send(WebSocketBytes.control(memory(), frame));
    }
  }

  private void awaitAnswer() {
    ChannelFuture own = answer;
    if (own == null || own.isDone()) {
      return;
    }
    try {
      var _ =
          scheduler.host().awaitEvent(WaitForNetty.on(scheduler).waitable(own), wire.progress());
    } catch (Exception e) {
      if (own.cause() != e) {
        throw MessageWire.<RuntimeException>thrown(e); // too late, or the caller's own end
      }
    }
  }

  @Override
  public OptionalInt closeCode() {
    WebSocketCloseStatus status = peersClose;
    return status == null || status.equals(WebSocketCloseStatus.EMPTY)
        ? OptionalInt.empty()
        : OptionalInt.of(status.code());
  }

  @Override
  public String closeReason() {
    WebSocketCloseStatus status = peersClose;
    return status == null || status.equals(WebSocketCloseStatus.EMPTY) ? "" : status.reasonText();
  }

  @Override
  public void send(String text) throws IOException {
    Objects.requireNonNull(text, "text is null");
    awaitRoom();
    wire.sendAhead(WebSocketBytes.text(memory(), text));
  }

  @Override
  public boolean trySend(String text) {
    Objects.requireNonNull(text, "text is null");
    return !closeSent && channel.trySend(WebSocketBytes.text(memory(), text));
  }

  @Override
  public void send(byte[] bytes) throws IOException {
    Objects.requireNonNull(bytes, "bytes is null");
    awaitRoom();
    wire.sendAhead(WebSocketBytes.binary(memory(), bytes));
  }

  @Override
  public void send(PreparedMessage message) throws IOException {
    Objects.requireNonNull(message, "message is null");
    awaitRoom();
    wire.sendAhead(((PreparedFrame) message).frame());
  }

  @Override
  public boolean trySend(PreparedMessage message) {
    Objects.requireNonNull(message, "message is null");
    scheduler.host().checkThread(); // a frame that no task sends would be lost
    var prepared = (PreparedFrame) message;
    return !closeSent && (sendStraight(prepared.bytes()) || channel.trySend(prepared.frame()));
  }

  /// Sends a frame past the pipeline. The pipeline sends the bytes that the system has not taken.
  ///
  /// @param frame neither released nor changed
  /// @return whether the frame is sent; if not, no byte was sent
  private boolean sendStraight(ByteBuf frame) {
    SocketSender straight = socket;
    int sent = straight == null ? 0 : straight.send(frame);
    if (sent > 0 && sent < frame.readableBytes()) {
      ByteBuf rest = frame.retainedDuplicate().skipBytes(sent);
      var _ = channel.sendAtOnce(rest);
    }
    return sent > 0;
  }

  /// {@return the allocator of frames}
  private ByteBufAllocator memory() {
    scheduler.host().checkThread(); // a frame that no task sends would be lost
    return channel.channel().alloc();
  }

  /// Waits here until the peer makes room, because a close may be sent meanwhile. For the same
  /// reason a spent turn gives way here, and the message is written at once then.
  private void awaitRoom() throws IOException {
    scheduler.checkpoint();
    requireNotClosed();
    Channel own = channel.channel();
    while (!own.isWritable() && own.isActive() && channel.isOpen()) {
      try {
        var _ = scheduler.host().awaitEvent(channel.sendable(), wire.progress());
      } catch (Throwable e) {
        wire.cutOff();
        throw e;
      }
      requireNotClosed();
    }
  }

  /// No message follows a close (RFC 6455, 5.5.1), also if the server has sent it because the
  /// server ends.
  private void requireNotClosed() throws IOException {
    if (!closeSent) {
      return;
    }
    WebSocketCloseStatus status = peersClose;
    if (status == null || closed) {
      throw new ChannelClosedException("send to %s: this side has closed it".formatted(this));
    }
    wire.cutOff();
    throw new ConnectionResetException(
        "send to %s: the peer has closed it".formatted(this),
        new EOFException("code " + status.code()));
  }

  @Override
  public void close() {
    close(WebSocketCloseStatus.NORMAL_CLOSURE.code(), "");
  }

  @Override
  public void close(int code, String reason) {
    Objects.requireNonNull(reason, "reason is null");
    if (!WebSocketDecoder.isCloseCode(code)) {
      throw new IllegalArgumentException(
          "code=%d; required: 1000 to 1003, 1007 to 1014, or 3000 to 4999".formatted(code));
    }
    var frame = new CloseWebSocketFrame(new WebSocketCloseStatus(code, reason));
    int bytes = frame.content().readableBytes();
    if (bytes > WebSocketBytes.MOST_IN_ONE_BYTE) {
      frame.release();
      throw new IllegalArgumentException(
          "the reason has %d bytes; required <= 123".formatted(bytes - Short.BYTES));
    }
    if (closed) {
      frame.release();
      return;
    }
    closed = true;
    end.known();
    wire.ending();
    try {
      sayClose(frame);
      scheduler.within(CLOSING, this::awaitClose);
    } catch (IOException | TimedOutException e) {
      // the peer has gone, or does not answer
    } finally {
      wire.close();
    }
  }

  private void awaitClose() throws IOException {
    while (peersClose == null) {
      var _ = receive();
    }
  }

  /// Its task has ended.
  public void end() {
    end.known();
  }

  /// The server ends. Asks the client to close the socket.
  public void drain() {
    if (!closeSent) {
      answerClose(new CloseWebSocketFrame(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE));
    }
  }

  @Override
  public String toString() {
    return "web socket " + channel;
  }
}
