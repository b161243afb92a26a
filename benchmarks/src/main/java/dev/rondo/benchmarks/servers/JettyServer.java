package dev.rondo.benchmarks.servers;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;

/// A Jetty server with one selector, whose thread also accepts connections and handles requests.
public final class JettyServer {

  private static final int NO_ACCEPTORS = 0;
  private static final int ONE_SELECTOR = 1;

  private JettyServer() {}

  /// Answers every request with a text until the process ends.
  static void serve(byte[] text) throws Exception {
    var server = new Server();
    var connector =
        new ServerConnector(server, NO_ACCEPTORS, ONE_SELECTOR, new HttpConnectionFactory());
    connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    connector.setAcceptQueueSize(BareServer.BACKLOG);
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract.NonBlocking() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, text.length);
            response.write(true, ByteBuffer.wrap(text), callback);
            return true;
          }
        });
    server.start();
    ServerProcess.tell(connector.getLocalPort());
  }

  /// Does a job until the process ends.
  static void serve(WebJob job) throws Exception {
    var server = new Server();
    ServerConnector connector =
        new ServerConnector(server, NO_ACCEPTORS, ONE_SELECTOR, protocols(job));
    connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    connector.setAcceptQueueSize(BareServer.BACKLOG);
    server.addConnector(connector);
    if (job.isWebSocket()) {
      Set<Session> room = ConcurrentHashMap.newKeySet();
      server.setHandler(
          WebSocketUpgradeHandler.from(
              server,
              container ->
                  container.addMapping(
                      job.path(), (_, _, _) -> job == WebJob.ECHO ? new Echo() : new Talk(room))));
    } else {
      server.setHandler(new Responding(job));
    }
    server.start();
    ServerProcess.tell(connector.getLocalPort());
  }

  private static ConnectionFactory[] protocols(WebJob job) throws Exception {
    var settings = new HttpConfiguration();
    if (job == WebJob.TLS) {
      settings.addCustomizer(new SecureRequestCustomizer(/* sniHostCheck= */ false)); // an address
    }
    var http = new HttpConnectionFactory(settings);
    return switch (job) {
      case TLS -> {
        var tls = new SslContextFactory.Server();
        tls.setSslContext(WebContent.sslContext());
        yield new ConnectionFactory[] {new SslConnectionFactory(tls, http.getProtocol()), http};
      }
      case HTTP2 -> new ConnectionFactory[] {http, new HTTP2CServerConnectionFactory(settings)};
      default -> new ConnectionFactory[] {http};
    };
  }

  private static final class Responding extends Handler.Abstract.NonBlocking {

    private final WebJob job;
    private final HttpField contentType;

    Responding(WebJob job) {
      this.job = job;
      this.contentType =
          new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, WebContent.contentType(job));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      byte[] body = WebContent.body(job);
      response.getHeaders().put(contentType);
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
      response.write(true, ByteBuffer.wrap(body), callback);
      return true;
    }
  }

  /// Sends back each message.
  public static final class Echo extends Session.Listener.AbstractAutoDemanding {

    @Override
    public void onWebSocketText(String text) {
      getSession().sendText(text, org.eclipse.jetty.websocket.api.Callback.NOOP);
    }
  }

  /// Sends each message to all clients.
  public static final class Talk extends Session.Listener.AbstractAutoDemanding {

    private final Set<Session> room;

    Talk(Set<Session> room) {
      this.room = room;
    }

    @Override
    public void onWebSocketOpen(Session session) {
      super.onWebSocketOpen(session);
      boolean _ = room.add(session);
    }

    @Override
    public void onWebSocketText(String text) {
      room.forEach(each -> each.sendText(text, org.eclipse.jetty.websocket.api.Callback.NOOP));
    }

    /// A client has gone.
    @Override
    public void onWebSocketError(Throwable cause) {
      boolean _ = room.remove(getSession());
    }

    @Override
    public void onWebSocketClose(
        int status, String reason, org.eclipse.jetty.websocket.api.Callback callback) {
      boolean _ = room.remove(getSession());
      callback.succeed();
    }
  }
}
