package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.http.Http2Rig;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [WebSocketCases], each on a socket of its own.
abstract class WebSocketCasesContract extends Http2Rig {

  static final WebSocketSettings SETTINGS =
      new WebSocketSettings(1 << 20, Duration.ofSeconds(30), List.of());

  /// {@return a client whose bytes are those of frames, in both directions}
  abstract NettyChannel open(HttpServer server) throws IOException;

  /// {@return the cases to run}
  abstract List<WebSocketCase> cases();

  @Test
  void cases_ofAutobahnsFuzzingClient_areAnsweredAsRfc6455Recommends() {
    run(() -> {
      var failed = new ArrayList<String>();
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/",
                  exchange -> {
                    var socket = exchange.webSocket(SETTINGS);
                    try {
                      WebSocketContract.echo(socket);
                    } catch (ProtocolException e) {
                      // what the case is about
                    }
                  }))) {
        for (WebSocketCase each : cases()) {
          List<String> found = answers(server, each);
          if (!found.equals(each.expected()) && !found.equals(each.allowed())) {
            failed.add(each + ": required=" + each.expected() + ", found=" + found);
          }
        }
        await(() -> server.connectionCount() == 0);
      }
      assertEquals(List.of(), failed);
    });
  }

  private List<String> answers(HttpServer server, WebSocketCase each) throws IOException {
    try (NettyChannel client = open(server)) {
      var sending =
          scheduler.spawn(() -> {
            try {
              for (byte[] bytes : each.sent()) {
                client.send(allocator.buffer(bytes.length).writeBytes(bytes));
              }
            } catch (IOException | IllegalArgumentException e) {
              // the server has closed the socket meanwhile; of a stream of HTTP/2 Netty's codec may
              // say that by the latter
            }
          });
      byte[] received = received(client);
      sending.join();
      return WebSocketCase.frames(received, false);
    }
  }

  static byte[] received(NettyChannel client) {
    var all = new ByteArrayOutputStream();
    try {
      for (ByteBuf part; (part = client.receive(ByteBuf.class)) != null; ) {
        all.writeBytes(ByteBufUtil.getBytes(part));
        part.release();
      }
    } catch (IOException e) {
      // reset, because the server has not read all: what came before counts
    }
    return all.toByteArray();
  }
}
