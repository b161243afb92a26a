package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.client.HttpClient;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [WebSocketCases] for a client: a server sends the same frames, unmasked.
final class WebSocketClientCasesTest extends HttpClientRig {

  @Test
  void cases_ofAutobahnsFuzzingServer_areAnsweredAsRfc6455Recommends() {
    run(() -> {
      var failed = new ArrayList<String>();
      try (NettyListener listener = listen();
          HttpClient client = newClient()) {
        URI uri = uri("ws", listener.localAddress(), "/");
        for (WebSocketCase each : WebSocketCases.all()) {
          var echoing = scheduler.spawn("client", () -> echo(client, uri));
          List<String> found = answers(WebSocketClientTest.shake(listener.accept()), each);
          var _ = echoing.join();
          if (!found.equals(each.expected()) && !found.equals(each.allowed())) {
            failed.add(each + ": required=" + each.expected() + ", found=" + found);
          }
        }
      }
      assertEquals(List.of(), failed);
    });
  }

  private static Void echo(HttpClient client, URI uri) throws IOException {
    var request = client.request(HttpMethod.GET, uri);
    try (WebSocket socket = request.webSocket(WebSocketCasesContract.SETTINGS)) {
      WebSocketContract.echo(socket);
    } catch (ProtocolException | ConnectionResetException e) {
      // what the case is about; the latter from a send, because the client reads ahead
    }
    return null;
  }

  private List<String> answers(NettyChannel server, WebSocketCase each) {
    try (server) {
      var sending =
          scheduler.spawn(() -> {
            try {
              for (byte[] bytes : each.ofServer()) {
                server.send(allocator.buffer(bytes.length).writeBytes(bytes));
              }
            } catch (IOException e) {
              // the client has closed the socket meanwhile
            }
          });
      byte[] received = WebSocketCasesContract.received(server);
      sending.join();
      return WebSocketCase.frames(received, true);
    }
  }
}
