package dev.rondo.benchmarks;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/// A server of Jetty with one selector, whose thread accepts and handles requests too.
final class JettyServer {

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
}
