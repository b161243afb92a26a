package dev.rondo.http.server;

import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Task;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request on an HTTP/2 stream, from its head to the end of its response.
///
/// Confined to the scheduler's thread.
abstract class Http2Call {

  /// The head, if it is here before the connection is served.
  private @Nullable HttpRequest request;

  /// Null until a task answers the request.
  private @Nullable HttpWire wire;

  private @Nullable Task<?> task;

  /// Whether that task has begun.
  private boolean begun;

  /// {@return the wire that sends the response}
  ///
  /// @param connection of the stream
  /// @param lastWrites of the connection
  abstract HttpWire newWire(HttpServer server, ChannelControl connection, LastWrites lastWrites);

  /// The stream is no longer used. Resets it unless both sides have ended it.
  abstract void close();

  /// The head is here, and the connection is not served yet.
  final void keep(HttpRequest head) {
    request = head;
  }

  /// {@return the request that was kept; null if the client has taken it back meanwhile}
  final @Nullable HttpRequest takeRequest() {
    HttpRequest head = request;
    request = null;
    return head;
  }

  /// A task that has not begun will answer the request.
  final void answeredIn(Task<?> made, HttpWire own) {
    task = made;
    wire = own;
  }

  /// That task has begun.
  final void begin() {
    begun = true;
  }

  final boolean hasBegun() {
    return begun;
  }

  /// The stream has ended. Cancels its task, unless the response is complete.
  final void gone(String why, Throwable cause) {
    ReferenceCountUtil.release(takeRequest());
    Task<?> server = task;
    if (!begun) {
      close(); // its task will never run
    }
    if (server != null && (!begun || !Objects.requireNonNull(wire).isEnding())) {
      boolean _ = server.cancel(why, cause);
    }
  }
}
