package dev.rondo.http.client;

import dev.rondo.http.internal.ContentCoding;
import dev.rondo.http.internal.DecodedBody;
import dev.rondo.http.internal.MessageWire;
import dev.rondo.http.internal.SentBody;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.BodyPace;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One request on one connection, and its response. A body that is not sent with the head is sent
/// by another task, so that the server may respond before it has the whole body.
///
/// Confined to the scheduler's thread.
final class ClientExchange {

  /// RFC 9110, 9.2.2.
  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.OPTIONS,
          HttpMethod.TRACE,
          HttpMethod.PUT,
          HttpMethod.DELETE);

  /// Requests with these methods state that they have no body.
  private static final Set<HttpMethod> WITH_BODY =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

  private final Scheduler scheduler;
  private final ClientConnection connection;
  private final HttpClientLimits limits;
  private final Hop hop;

  /// The proxy that passes the request on; null if there is no such proxy.
  private final @Nullable HttpProxy forwarding;

  /// Whether the server may have closed the connection meanwhile.
  private final boolean used;

  /// Null before the request begins.
  private @Nullable ClientWire wire;

  /// Sends the body; null if it is sent with the head.
  private @Nullable Task<Void> upload;

  private boolean uploading;
  private long uploadedNanos;

  /// The failure of the writer of the body.
  private @Nullable Exception uploadFailure;

  /// Whether the server does not want the body.
  private boolean leftOut;

  private boolean refused;
  private boolean responded;
  private boolean keptAlive;
  private boolean over;

  ClientExchange(Scheduler scheduler, ClientConnection connection, ClientSetup setup, Hop hop) {
    this.scheduler = scheduler;
    this.connection = connection;
    this.limits = setup.limits();
    this.hop = hop;
    this.forwarding = setup.tunnels(hop.origin()) ? null : setup.proxyFor(hop.origin());
    this.used = connection.isUsed();
  }

  private ClientWire wire() {
    ClientWire own = wire;
    if (own == null) {
      throw new IllegalStateException("the request has not begun");
    }
    return own;
  }

  /// Sends the request, and receives the head of the response. A *possible* suspension point.
  HttpClientResponse run() throws IOException {
    boolean done = false;
    try {
      begin();
      HttpResponse early = send();
      HttpClientResponse response = response(early != null ? early : receiveHead());
      done = true;
      return response;
    } finally {
      if (!done) {
        abort();
      }
    }
  }

  private void begin() throws IOException {
    try {
      wire = connection.begin();
    } catch (IOException | RuntimeException e) {
      refused = true; // nothing was sent
      throw e;
    }
  }

  /// Whether the request can be sent again after a failure: the server has refused it, or it may
  /// have closed a connection that was idle.
  boolean mayRepeat(IOException failure) {
    if (!hop.body().isRepeatable() && upload != null) {
      return false;
    }
    ClientWire own = wire;
    return refused
        || (own != null && own.isRefused())
        || (used
            && !responded
            && failure instanceof ConnectionResetException
            && IDEMPOTENT.contains(hop.method()));
  }

  /// Whether the server has responded without the body, which was not sent.
  boolean isBodyLeftOut() {
    return leftOut;
  }

  /// Whether the server has refused the body because it does not know the expectation in the head.
  boolean knowsNoExpectation(HttpResponseStatus status) {
    return leftOut && status.equals(HttpResponseStatus.EXPECTATION_FAILED);
  }

  // The request.

  /// @return the head of the response, if the server does not want the body; null otherwise
  private @Nullable HttpResponse send() throws IOException {
    ClientWire own = wire();
    own.expect(hop.method().equals(HttpMethod.HEAD));
    HttpHeaders headers = headers();
    byte[] atOnce = hop.body().atOnce();
    Duration patience = hop.body().lengthBytes() == 0 ? null : hop.patience();
    if (atOnce != null && patience == null) {
      own.send(
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1,
              hop.method(),
              target(),
              Unpooled.wrappedBuffer(atOnce),
              headers,
              EmptyHttpHeaders.INSTANCE));
      uploadedNanos = scheduler.host().nowNanos();
      return null;
    }
    if (patience != null) {
      headers.set(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE);
    }
    own.send(new DefaultHttpRequest(HttpVersion.HTTP_1_1, hop.method(), target(), headers));
    HttpResponse early = patience == null ? null : own.receiveGoAhead(patience);
    if (early == null) {
      uploading = true;
      upload = scheduler.spawn("body of " + this, this::upload);
    } else {
      responded = true;
      leftOut = true;
    }
    return early;
  }

  /// A proxy without a tunnel needs the origin in the request.
  private String target() {
    return forwarding == null ? hop.target() : hop.origin() + hop.target();
  }

  private HttpHeaders headers() {
    HttpHeaders headers = hop.headers().copy();
    if (!headers.contains(HttpHeaderNames.HOST)) {
      headers.set(HttpHeaderNames.HOST, hop.origin().authority());
    }
    if (!headers.contains(HttpHeaderNames.ACCEPT_ENCODING)) {
      headers.set(HttpHeaderNames.ACCEPT_ENCODING, ContentCoding.SUPPORTED);
    }
    String credentials = forwarding == null ? null : forwarding.authorization();
    if (credentials != null && !headers.contains(HttpHeaderNames.PROXY_AUTHORIZATION)) {
      headers.set(HttpHeaderNames.PROXY_AUTHORIZATION, credentials);
    }
    ClientBody body = hop.body();
    String type = body.contentType();
    if (type != null && !headers.contains(HttpHeaderNames.CONTENT_TYPE)) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, type);
    }
    if (body.lengthBytes() == SentBody.OPEN_END) {
      headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    } else if (body.lengthBytes() > 0 || WITH_BODY.contains(hop.method())) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, body.lengthBytes());
    }
    return headers;
  }

  private void upload() {
    ClientWire own = wire();
    var out = new SentBody(own, hop.body().lengthBytes(), false);
    try {
      hop.body().writeTo(out);
      out.end();
    } catch (Exception e) {
      boolean serverHasGone =
          own.isBroken()
              && (e instanceof ConnectionResetException || e instanceof ChannelClosedException);
      if (!over && !serverHasGone) {
        uploadFailure = e;
        own.channel().close(); // the task that waits for the response fails
      }
    } finally {
      out.abort();
      uploading = false;
      uploadedNanos = scheduler.host().nowNanos();
    }
  }

  /// Waits until the code that writes the body has ended, so that it may run again. A *possible*
  /// suspension point.
  void awaitUploaded() {
    Task<Void> own = upload;
    if (own == null) {
      return;
    }
    try {
      var _ = own.join();
    } catch (RuntimeException e) {
      if (!own.isDone()) {
        throw e; // the caller's own end
      }
    }
  }

  /// {@return the failure of a wait for the server}
  private Exception cause(Exception failure) {
    Exception own = uploadFailure;
    if (own == null || !(failure instanceof IOException)) {
      return failure;
    }
    own.addSuppressed(failure);
    uploadFailure = null;
    return own;
  }

  // The response.

  private HttpResponse receiveHead() throws IOException {
    Duration limit = limits.response();
    while (true) {
      HttpResponse head;
      try {
        head = wire().receiveHead(limit);
      } catch (IOException | RuntimeException e) {
        throw MessageWire.<RuntimeException>thrown(cause(e));
      }
      if (head != null) {
        responded = true;
        return head;
      }
      long passed = scheduler.host().nowNanos() - uploadedNanos;
      Duration left = uploading ? limits.response() : limits.response().minusNanos(passed);
      if (!left.isPositive()) {
        throw new SocketTimeoutException(
            new TimedOutException(limits.response(), "the server does not respond to " + this)
                .getMessage());
      }
      limit = left;
    }
  }

  private HttpClientResponse response(HttpResponse head) throws IOException {
    boolean kept = false;
    try {
      ClientWire own = wire();
      ResponseRules.check(head, own.isStream());
      own.tidy(head);
      boolean bare = ResponseRules.hasNoBody(hop.method(), head.status());
      boolean untilClose =
          !own.isStream()
              && !bare
              && !HttpUtil.isContentLengthSet(head)
              && !HttpUtil.isTransferEncodingChunked(head);
      keptAlive = !untilClose && HttpUtil.isKeepAlive(head);
      var content = new ResponseContent(this, head, bare, untilClose, limits.bodyBytes());
      kept = true;
      content.begin(head);
      boolean empty = HttpUtil.getContentLength(head, SentBody.OPEN_END) == 0;
      boolean asSent = bare || empty || hop.headers().contains(HttpHeaderNames.ACCEPT_ENCODING);
      ContentCoding coding = asSent ? null : ContentCoding.of(head.headers());
      String protocol = own.isStream() ? MessageWire.HTTP_2 : head.protocolVersion().text();
      return new HttpClientResponse(
          hop.uri(),
          protocol,
          head.status(),
          head.headers(),
          content,
          coding == null ? null : new DecodedBody(content, coding));
    } finally {
      if (!kept) {
        ReferenceCountUtil.release(head);
      }
    }
  }

  /// Receives the next part of the body. A *possible* suspension point.
  @Nullable Object receivePart() throws IOException {
    try {
      return wire().receivePart();
    } catch (TimedOutException e) {
      throw e; // a limit of the caller's own; the rest can be read later
    } catch (IOException | RuntimeException e) {
      Exception cause = cause(e);
      abort();
      throw MessageWire.<RuntimeException>thrown(cause);
    }
  }

  /// {@return the next part of the body if it is here; null otherwise}
  @Nullable Object tryReceivePart() {
    return over ? null : wire().channel().tryReceive();
  }

  /// {@return the pace that the body must keep if it is read as a whole from now on}
  BodyPace newPace() {
    return new BodyPace(scheduler.host(), limits.progress());
  }

  boolean isClosedInOrder() {
    return wire().isClosedInOrder();
  }

  // The end.

  /// The response has been received to its end.
  void completed() {
    ClientWire own = wire();
    boolean sent = !leftOut && (upload == null || own.isEnding());
    end(sent && keptAlive && !own.isBroken());
  }

  /// The caller does not want the rest of the response, or the rest does not come.
  void abort() {
    if (!over) {
      connection.givingUp();
    }
    end(false);
  }

  private void end(boolean inOrder) {
    if (over) {
      return;
    }
    over = true;
    Task<Void> own = upload;
    if (own != null && !inOrder && uploading) {
      boolean _ = own.cancel("the response has ended");
    }
    connection.ended(wire, inOrder);
  }

  @Override
  public String toString() {
    return hop.method() + " " + hop.uri();
  }
}
