package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.SemaphorePermit;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.RequestHeaderFieldsTooLargeException;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.DefaultContentLengthStrategy;
import org.apache.hc.core5.http.impl.HttpProcessors;
import org.apache.hc.core5.http.impl.io.ChunkedOutputStream;
import org.apache.hc.core5.http.impl.io.ContentLengthOutputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseWriter;
import org.apache.hc.core5.http.impl.io.IdentityOutputStream;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.jspecify.annotations.Nullable;

/// One connection of a [TinyHttpServer] (RFC 9112): a request, its response, the next request, in
/// straight-line code. Each time limit is an `app.within(..)` around the lines that it limits.
///
/// Pipelined requests are answered in order. Responses are collected in a buffer, which is sent
/// when it is full and before the connection waits for more input.
final class TinyHttpConnection {

  private static final int BUFFER_BYTES = 8 * 1024;
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /// The time that the server reads on after an error response, so that the client can receive it.
  private static final Duration LINGER = Duration.ofSeconds(1);

  /// The rules for headers: requires `Host`, sets `Date` and `Content-Length`, ...
  private static final HttpProcessor RULES = HttpProcessors.server("Rondo");

  private static final DefaultHttpResponseWriter WRITER = new DefaultHttpResponseWriter();

  private final Application app;
  private final TinyHttpServer server;
  private final TinyHttpLimits limits;
  private final TcpSocket socket;
  private final SessionOutputBufferImpl out = new SessionOutputBufferImpl(BUFFER_BYTES);
  private final TinyHttpReader reader;

  TinyHttpConnection(Application app, TinyHttpServer server, TcpSocket socket) {
    this.app = app;
    this.server = server;
    this.limits = server.limits();
    this.socket = socket;
    this.reader = new TinyHttpReader(limits, new FlushingInput());
  }

  /// Sends the buffered output before it waits for input.
  private final class FlushingInput extends InputStream {

    @Override
    public int read() throws IOException {
      flush();
      return socket.input().read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      flush();
      return socket.input().read(bytes, offset, length);
    }
  }

  private void flush() throws IOException {
    out.flush(socket.output());
  }

  /// Answers requests until one side ends the connection. Suspends its task.
  void converse() throws Exception {
    try (socket) {
      socket.writeTimeout(limits.write());
      while (requestComes() && exchange()) {
        // the next request
      }
      flush();
    } catch (IOException | TimedOutException e) {
      // the client has left, or does not read
    }
  }

  /// Waits for the next request's first byte.
  ///
  /// @return false if no byte comes in time, or the server shuts down
  private boolean requestComes() throws Exception {
    if (reader.hasBufferedData()) {
      return true; // pipelined
    }
    flush();
    try {
      return app.within(
                  limits.idle(),
                  () -> app.<@Nullable Object>select(socket.readable(), app.shutdownRequested()))
              .index()
          == 0;
    } catch (TimedOutException e) {
      return false;
    }
  }

  /// @return whether the connection stays open
  private boolean exchange() throws Exception {
    var context = HttpCoreContext.create();
    SemaphorePermit memory = null;
    try {
      ClassicHttpRequest request;
      byte[] body;
      try {
        request = head(context);
        int most = reader.mostBytes(request);
        memory = most == 0 ? null : server.reserve(most);
        body = body(request);
      } catch (IOException | HttpException | TimedOutException e) {
        refuse(statusOf(e), e, context);
        return false;
      }
      return respond(server.answer(request, body), context);
    } finally {
      if (memory != null) {
        memory.close();
      }
    }
  }

  // Receiving.

  private ClassicHttpRequest head(HttpCoreContext context) throws Exception {
    ClassicHttpRequest request = app.within(limits.header(), reader::head);
    request.setScheme("http"); // not part of a request line
    context.setRequest(request);
    context.setProtocolVersion(request.getVersion());
    RULES.process(request, null, context);
    return request;
  }

  private byte[] body(ClassicHttpRequest request) throws Exception {
    if (TinyHttpReader.expectsContinue(request)
        && reader.mostBytes(request) > 0
        && !reader.hasBufferedData()) {
      out.write(CONTINUE, socket.output());
    }
    return app.within(limits.body(), () -> reader.body(request));
  }

  // Answering.

  private boolean respond(ClassicHttpResponse response, HttpCoreContext context)
      throws IOException, HttpException {
    if (server.isDraining()) {
      response.setHeader(HttpHeaders.CONNECTION, "close");
    }
    HttpEntity entity = response.getEntity();
    context.setResponse(response);
    RULES.process(response, entity, context);
    WRITER.write(response, out, socket.output());
    if (entity != null && mayHaveBody(response, context)) {
      OutputStream body = bodyOf(response);
      entity.writeTo(body);
      body.close(); // not after a failure, so that the client sees that the end is missing
    }
    return DefaultConnectionReuseStrategy.INSTANCE.keepAlive(
        context.getRequest(), response, context);
  }

  private static boolean mayHaveBody(ClassicHttpResponse response, HttpCoreContext context) {
    int status = response.getCode();
    boolean isHead =
        context.getRequest() != null && "HEAD".equals(context.getRequest().getMethod());
    return !isHead && status != HttpStatus.SC_NO_CONTENT && status != HttpStatus.SC_NOT_MODIFIED;
  }

  private OutputStream bodyOf(ClassicHttpResponse response) throws HttpException {
    long length = DefaultContentLengthStrategy.INSTANCE.determineLength(response);
    if (length == ContentLengthStrategy.CHUNKED) {
      return new ChunkedOutputStream(out, socket.output(), BUFFER_BYTES);
    }
    return length >= 0
        ? new ContentLengthOutputStream(out, socket.output(), length)
        : new IdentityOutputStream(out, socket.output()); // HTTP/1.0: ends with the connection
  }

  // Refusing.

  /// {@return the status for the mistake of the client}
  ///
  /// @throws Exception the failure itself, if the client has left
  private static int statusOf(Exception failure) throws Exception {
    return switch (failure) {
      case TimedOutException _ -> HttpStatus.SC_REQUEST_TIMEOUT;
      case TinyHttpReader.Refusal refusal -> refusal.status();
      case RequestHeaderFieldsTooLargeException _ -> HttpStatus.SC_REQUEST_HEADER_FIELDS_TOO_LARGE;
      case HttpException _ -> HttpStatus.SC_BAD_REQUEST;
      default -> throw failure;
    };
  }

  /// Sends an error response and ends the connection, because the start of the next request is
  /// unknown. A close while the client still sends would reset the connection and could destroy the
  /// response. So the server reads on for a while (RFC 9112, 9.6).
  private void refuse(int status, Exception failure, HttpCoreContext context) throws Exception {
    ClassicHttpResponse response =
        TinyHttpServer.message(status, String.valueOf(failure.getMessage()));
    response.setHeader(HttpHeaders.CONNECTION, "close");
    respond(response, context);
    flush();
    socket.shutdownOutput();
    app.within(LINGER, () -> socket.input().transferTo(OutputStream.nullOutputStream()));
  }
}
