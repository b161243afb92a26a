package dev.rondo.netty;

import dev.rondo.netty.http.HttpClient;
import dev.rondo.netty.http.HttpClientBuilder;
import dev.rondo.netty.http.HttpServer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Clients of HTTP, and servers that send bytes as they like.
abstract class HttpClientRig extends Http2Rig {

  HttpClient newClient(Consumer<HttpClientBuilder> settings) {
    HttpClientBuilder builder =
        HttpClient.builder(scheduler)
            .options(bootstrap -> bootstrap.option(ChannelOption.ALLOCATOR, allocator));
    settings.accept(builder);
    return builder.build();
  }

  HttpClient newClient() {
    return newClient(builder -> {});
  }

  static URI uri(HttpServer server, String path) {
    return uri("http", server.localAddress(), path);
  }

  static URI uri(String scheme, SocketAddress address, String path) {
    return URI.create(scheme + "://127.0.0.1:" + ((InetSocketAddress) address).getPort() + path);
  }

  /// Serves one connection.
  @FunctionalInterface
  interface RawHandler {
    void serve(NettyChannel connection) throws Exception;
  }

  /// A server whose handler reads and writes bytes; each connection has a task.
  final class RawServer implements AutoCloseable {

    private final NettyListener listener;
    final List<NettyChannel> connections = new ArrayList<>();

    RawServer(RawHandler handler) throws IOException {
      listener = listen();
      var _ =
          scheduler.spawn(
              "raw server",
              () -> {
                try {
                  while (true) {
                    NettyChannel connection = listener.accept();
                    connections.add(connection);
                    var _ =
                        scheduler.spawn(
                            "raw connection",
                            () -> {
                              try (connection) {
                                handler.serve(connection);
                              } catch (IOException e) {
                                // the client has gone
                              }
                              return null;
                            });
                  }
                } catch (IOException e) {
                  // closed
                }
              });
    }

    URI uri(String path) {
      return HttpClientRig.uri("http", listener.localAddress(), path);
    }

    @Override
    public void close() {
      listener.close();
      connections.forEach(NettyChannel::close);
    }
  }

  /// Receives the head of a request.
  ///
  /// @throws EOFException if the client has gone
  static String head(NettyChannel connection) throws IOException {
    var received = new StringBuilder();
    while (received.indexOf("\r\n\r\n") < 0) {
      ByteBuf part = connection.receive(ByteBuf.class);
      if (part == null) {
        throw new EOFException();
      }
      received.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return received.toString();
  }

  /// Whether the client has closed the connection.
  static boolean isGone(NettyChannel connection) throws IOException {
    return connection.receive() == null;
  }

  /// A server that answers each request with the same bytes, and reads until the client goes.
  RawServer answering(String response) throws IOException {
    return new RawServer(connection -> {
      while (true) {
        head(connection);
        send(connection, response);
      }
    });
  }
}
