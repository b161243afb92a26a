package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.Http2Rig;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.scheduler.TaskCancelled;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2PriorityFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests of HTTP/2 without a body, whose streams have no channel on the server's side.
final class Http2PlainStreamTest extends Http2Rig {

  private static final Duration LONG = Duration.ofHours(1);

  /// Waits until the task is cancelled.
  ///
  /// @param seen that it has begun, and that it was cancelled
  /// @return how
  private TaskCancelled cancellation(List<String> seen) {
    seen.add("begun");
    try {
      scheduler.within(LONG, scheduler::suspend);
    } catch (TaskCancelled e) {
      seen.add("cancelled");
      return e;
    }
    throw new AssertionError("the task goes on, and is not cancelled");
  }

  @Test
  void reset_byTheClient_cancelsTheTaskAndFailsItsWrites() {
    run(() -> {
      var seen = new ArrayList<String>();
      var why = new ArrayList<TaskCancelled>();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        why.add(cancellation(seen));
                        scheduler.shielded(() -> exchange.respondText("too late"));
                      }));
          var client = new Http2Client(server)) {
        try (Http2Request request = client.get("/")) {
          await(() -> seen.contains("begun"));
          request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
          await(() -> server.requestCount() == 1);
        }
        assertEquals(List.of("begun", "cancelled"), seen);
        String message = why.getFirst().getMessage();
        assertTrue(message.contains("the client has reset the stream"), message);
        assertEquals(1, server.connectionCount());
      }
    });
  }

  @Test
  void response_writtenWhileTheClientResets_failsForTheHandler() {
    run(() -> {
      var failures = new ArrayList<Throwable>();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        try {
                          OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b");
                          out.write(new byte[1 << 20]); // more than the client allows
                        } catch (Throwable e) {
                          failures.add(e);
                          throw e;
                        }
                      }));
          var client = new Http2Client(server)) {
        try (Http2Request request = client.get("/")) {
          var _ = request.channel.receive(); // the head
          request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
          await(() -> server.requestCount() == 1);
        }
        Throwable failure = failures.getFirst();
        assertTrue(
            failure instanceof TaskCancelled || failure instanceof ConnectionResetException,
            failure::toString);
      }
    });
  }

  /// The multiplexer tells the channels of all streams when the connection can be written again.
  @Test
  void connection_isFullAgainAndAgain_allStreamsAreAnswered() {
    int count = 20;
    run(() -> {
      var mark = new WriteBufferWaterMark(1, 2);
      try (HttpServer server =
              serve(routes ->
                  routes
                      .options(
                          each -> each.childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, mark))
                      .get("/", exchange -> exchange.respondText("x".repeat(1_000)))
                      .post("/", exchange -> exchange.respondText(exchange.bodyText())));
          var client = new Http2Client(server)) {
        var requests = new ArrayList<Http2Request>();
        for (int i = 0; i < count; i++) {
          requests.add(client.get("/"));
          Http2Request upload = client.post("/");
          requests.add(upload);
          upload.channel.send(new DefaultHttpContent(bytes("some ")));
        }
        for (int i = 0; i < count; i++) {
          assertEquals("200 " + "x".repeat(1_000), requests.get(2 * i).response());
          Http2Request upload = requests.get(2 * i + 1);
          upload.channel.send(new DefaultLastHttpContent(bytes("bytes")));
          assertEquals("200 some bytes", upload.response());
        }
        requests.forEach(Http2Request::close);
        await(() -> server.requestCount() == 2L * count);
      }
    });
  }

  @Test
  void priority_ofAnOpenStream_isIgnored() {
    run(() -> {
      var gate = netty.group().next().<String>newPromise();
      try (HttpServer server =
              serve(
                  routes -> routes.get("/", exchange -> exchange.respondText(netty.await(gate))));
          var client = new Http2Client(server);
          Http2Request request = client.get("/")) {
        request.channel.send(new DefaultHttp2PriorityFrame(0, (short) 1, false));
        settle();
        gate.setSuccess("hello");
        assertEquals("200 hello", request.response());
      }
    });
  }

  @Test
  void connection_isClosedByTheClient_cancelsTheTasks() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/",
                  exchange -> {
                    throw cancellation(seen);
                  }))) {
        try (var client = new Http2Client(server);
            Http2Request _ = client.get("/")) {
          await(() -> seen.contains("begun"));
          client.connection.channel().pipeline().firstContext().close(); // without a word
          await(() -> seen.contains("cancelled"));
        }
        await(() -> server.connectionCount() == 0);
        assertEquals(List.of("begun", "cancelled"), seen);
      }
    });
  }

  @Test
  void events_areSentWithComments() {
    run(() -> {
      var gate = netty.group().next().<String>newPromise();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        try (ServerSentEvents events = exchange.events(Duration.ofMillis(1))) {
                          events.send("one");
                          events.send(netty.await(gate));
                        }
                      }));
          var client = new Http2Client(server);
          Http2Request request = client.get("/")) {
        String first = request.until("\n\n:\n\n");
        gate.setSuccess("two");
        String response = first + request.response();
        assertTrue(response.startsWith("200 data: one\n\n:\n\n"), response);
        assertTrue(response.endsWith("data: two\n\n"), response);
      }
    });
  }

  /// There is no body to ask for, and what says so must not end the stream.
  @Test
  void expectation_withoutABody_isNoEndOfTheResponse() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        try (OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b")) {
                          out.write('x');
                        }
                      }));
          var client = new Http2Client(server)) {
        var head = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        head.headers().set("expect", "100-continue");
        try (Http2Request request = client.begun(head)) {
          String response = request.response();
          assertTrue(response.endsWith("200 x"), response);
        }
      }
    });
  }
}
