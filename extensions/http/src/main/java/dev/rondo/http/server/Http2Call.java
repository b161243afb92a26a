package dev.rondo.http.server;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request on a stream of HTTP/2, from its head to the end of its response.
///
/// Confined to the scheduler's thread.
abstract class Http2Call {

  /// The head, from when it is here until it is answered.
  private @Nullable HttpRequest request;

  /// Null until it is answered.
  private @Nullable HttpWire wire;

  private @Nullable RequestRun run;
  private @Nullable Task<?> task;

  /// Whether that task has begun.
  private boolean begun;

  /// {@return what the response is sent with}
  ///
  /// @param connection of the stream
  /// @param lastWrites of the connection
  abstract HttpWire newWire(HttpServer server, NettyChannel connection, LastWrites lastWrites);

  /// Nothing more is said on the stream: resets it unless both sides have ended.
  abstract void close();

  /// The head is here.
  final void request(HttpRequest head) {
    request = head;
  }

  /// {@return the request, to be answered; null if the client has taken it back meanwhile}
  final @Nullable HttpRequest takeRequest() {
    HttpRequest head = request;
    request = null;
    return head;
  }

  /// It is about to be answered.
  final void servedBy(HttpWire own, RequestRun answer) {
    wire = own;
    run = answer;
  }

  /// It is answered in a task.
  final void answeredIn(Task<?> made) {
    task = made;
  }

  /// That task has begun.
  final RequestRun begin() {
    begun = true;
    return run();
  }

  final boolean hasBegun() {
    return begun;
  }

  final HttpWire wire() {
    return Objects.requireNonNull(wire);
  }

  final RequestRun run() {
    return Objects.requireNonNull(run);
  }

  /// There will be no more of the stream: cancels its task, unless all was said.
  final void gone(String why, Throwable cause) {
    ReferenceCountUtil.release(takeRequest());
    Task<?> server = task;
    if (!begun) {
      close(); // its task will never run
    }
    if (server != null && (!begun || !wire().isEnding())) {
      boolean _ = server.cancel(why, cause);
    }
  }
}
