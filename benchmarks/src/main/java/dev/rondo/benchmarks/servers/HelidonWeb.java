package dev.rondo.benchmarks.servers;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.websocket.WsRouting;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A Helidon server, which finds the protocols on the class path.
public final class HelidonWeb {

  private HelidonWeb() {}

  static void serve(WebJob job) throws IOException, GeneralSecurityException {
    WebServerConfig.Builder builder =
        WebServer.builder()
            .address(InetAddress.getLoopbackAddress())
            .port(0)
            .backlog(BareServer.BACKLOG)
            .connectionOptions(options -> options.tcpNoDelay(true));
    if (job == WebJob.TLS) {
      var context = WebContent.sslContext();
      builder.tls(tls -> tls.sslContext(context));
    }
    if (job.isWebSocket()) {
      Set<WsSession> room = ConcurrentHashMap.newKeySet();
      builder.addRouting(
          WsRouting.builder()
              .endpoint(job.path(), () -> job == WebJob.ECHO ? new Echo() : new Talk(room)));
    } else {
      Header contentType =
          HeaderValues.createCached(HeaderNames.CONTENT_TYPE, WebContent.contentType(job));
      builder.addRouting(
          HttpRouting.builder()
              .get(
                  job.path(),
                  (_, response) -> response.header(contentType).send(WebContent.body(job))));
    }
    WebServer server = builder.build().start();
    ServerProcess.tell(server.port());
  }

  private static final class Echo implements WsListener {

    @Override
    public void onMessage(WsSession session, String text, boolean last) {
      session.send(text, last);
    }
  }

  private static final class Talk implements WsListener {

    private final Set<WsSession> room;

    Talk(Set<WsSession> room) {
      this.room = room;
    }

    @Override
    public void onOpen(WsSession session) {
      boolean _ = room.add(session);
    }

    @Override
    public void onMessage(WsSession session, String text, boolean last) {
      boolean _ = room.removeIf(each -> !sends(each, text, last));
    }

    /// {@return whether the client is still there}
    private static boolean sends(WsSession session, String text, boolean last) {
      try {
        var _ = session.send(text, last);
        return true;
      } catch (RuntimeException e) {
        return false;
      }
    }

    @Override
    public void onClose(WsSession session, int status, String reason) {
      boolean _ = room.remove(session);
    }
  }
}
