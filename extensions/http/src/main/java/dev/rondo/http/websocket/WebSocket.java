package dev.rondo.http.websocket;

import dev.rondo.http.websocket.internal.WebSocketConnection;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.io.IOException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// An HTTP/1.1 connection (RFC 6455) or an HTTP/2 stream (RFC 8441) that carries whole messages in
/// both directions. A server makes it by
/// [HttpExchange#webSocket][dev.rondo.http.server.HttpExchange#webSocket], a client by
/// [HttpClient#webSocket][dev.rondo.http.client.HttpClient#webSocket], over HTTP/1.1.
///
/// The socket joins fragments, answers pings, and sends a ping to a silent peer, also while no task
/// receives. **Back-pressure:** one message is read ahead of the tasks that receive; a peer that
/// sends faster waits in its own system. Sending waits for the peer.
///
/// **The end.** A task that waits for something else does not notice that its peer has gone. On a
/// server, the task that has made the socket is then cancelled after the time of
/// [HttpLimits#progress()][dev.rondo.http.server.HttpLimits#progress()], unless there are messages
/// that it has not received. On a client the task is not cancelled: its next receive or send fails.
///
/// As a socket it is no [dev.rondo.scheduler.SendChannel]: failures are [IOException]s, and `close`
/// ends both directions.
///
/// Any task may send or receive; messages are whole. Confined to the scheduler's thread.
public sealed interface WebSocket extends AutoCloseable permits WebSocketConnection {

  /// {@return the subprotocol that both sides speak; null for none} Never a suspension point.
  @Nullable String subprotocol();

  /// Receives a message. A *possible* suspension point.
  ///
  /// @return the message; null if the peer has closed the socket, see [#closeCode()]
  /// @throws ConnectionResetException if the connection has ended otherwise, or a ping was not
  ///   answered
  /// @throws java.net.ProtocolException if the peer has broken the protocol, or a message is too
  ///   long or comes too slowly
  /// @throws ChannelClosedException if this side has closed the socket
  /// @throws IOException if reading failed otherwise
  @Nullable WebSocketMessage receive() throws IOException;

  /// {@return a wait for a message, which results in what [#receive()] returns} To be awaited with
  /// a limit or as a branch of a choice. A branch that is not taken receives nothing.
  Waitable<@Nullable WebSocketMessage> receiving();

  /// {@return the code with which the peer has closed the socket; empty if the socket is open, or
  /// the peer gave no code} Never a suspension point.
  OptionalInt closeCode();

  /// {@return the reason with which the peer has closed the socket; empty for none} Never a
  /// suspension point.
  String closeReason();

  /// Sends a text. A *possible* suspension point: the call returns when the peer has room for the
  /// text, which may be a moment before the system has the bytes. If the write fails later, the
  /// next send or receive fails.
  ///
  /// @param text sent as UTF-8
  /// @throws ConnectionResetException if the peer has gone, or has closed the socket
  /// @throws ChannelClosedException if this side has closed the socket, or the server that made it
  ///   is ending
  /// @throws TimedOutException if the peer makes no room within
  ///   [HttpLimits#progress()][dev.rondo.http.server.HttpLimits#progress()], or
  ///   [HttpClientLimits#progress()][dev.rondo.http.client.HttpClientLimits#progress()]
  /// @throws IOException if writing failed otherwise
  void send(String text) throws IOException;

  /// Sends a text if the peer has room for earlier messages, and does not wait. Use it for a text
  /// to many clients, where a slow client must not delay the others. Never a suspension point.
  ///
  /// @param text sent as UTF-8
  /// @return false if it was not sent, because the peer is slow or has gone, or the socket is
  ///   closed
  boolean trySend(String text);

  /// Sends bytes. A *possible* suspension point, as [#send(String)].
  ///
  /// @param bytes copied
  /// @throws IOException as [#send(String)] does
  void send(byte[] bytes) throws IOException;

  /// Sends a message that is shared with other sockets. A *possible* suspension point, as
  /// [#send(String)].
  ///
  /// @param message stays open: the caller closes it
  /// @throws IllegalStateException if the message is closed
  /// @throws IOException as [#send(String)] does
  void send(PreparedMessage message) throws IOException;

  /// Sends a message that is shared with other sockets, as [#trySend(String)]. Never a suspension
  /// point.
  ///
  /// @param message stays open: the caller closes it
  /// @return as [#trySend(String)]
  /// @throws IllegalStateException if the message is closed
  boolean trySend(PreparedMessage message);

  /// Closes the socket with code 1000; see [#close(int, String)]. A *possible* suspension point.
  @Override
  void close();

  /// Closes the socket: sends a close to the peer, and waits a second for its answer. Messages that
  /// come meanwhile are lost. If the peer does not read, this waits until the peer has room for the
  /// close, at most for the time of `progress`. If the task is cancelled, the connection is closed
  /// at once. Nothing happens if the socket is closed already. A *possible* suspension point.
  ///
  /// @param code from 1000 to 1003, from 1007 to 1014, or from 3000 to 4999 (RFC 6455, 7.4)
  /// @param reason at most 123 bytes of UTF-8
  /// @throws IllegalArgumentException if the code must not be sent, or the reason is too long
  void close(int code, String reason);
}
