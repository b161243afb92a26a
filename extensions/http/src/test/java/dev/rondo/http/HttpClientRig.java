package dev.rondo.http;

import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientBuilder;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
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
public abstract class HttpClientRig extends Http2Rig {

  protected HttpClient newClient(Consumer<HttpClientBuilder> settings) {
    HttpClientBuilder builder =
        HttpClient.builder(scheduler)
            .options(bootstrap -> bootstrap.option(ChannelOption.ALLOCATOR, allocator));
    settings.accept(builder);
    return builder.build();
  }

  protected HttpClient newClient() {
    return newClient(builder -> {});
  }

  protected static URI uri(HttpServer server, String path) {
    return uri("http", server.localAddress(), path);
  }

  protected static URI uri(String scheme, SocketAddress address, String path) {
    return URI.create(scheme + "://127.0.0.1:" + ((InetSocketAddress) address).getPort() + path);
  }

  /// Serves one connection.
  @FunctionalInterface
  protected interface RawHandler {
    void serve(NettyChannel connection) throws Exception;
  }

  /// A server whose handler reads and writes bytes; each connection has a task.
  protected final class RawServer implements AutoCloseable {

    private final NettyListener listener;
    public final List<NettyChannel> connections = new ArrayList<>();

    public RawServer(RawHandler handler) throws IOException {
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

    public URI uri(String path) {
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
  protected static String head(NettyChannel connection) throws IOException {
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
  protected static boolean isGone(NettyChannel connection) throws IOException {
    return connection.receive() == null;
  }

  /// A server that answers each request with the same bytes, and reads until the client goes.
  protected RawServer answering(String response) throws IOException {
    return new RawServer(connection -> {
      while (true) {
        head(connection);
        send(connection, response);
      }
    });
  }
}
