// DEPS org.eclipse.jetty:jetty-server:12.1.14
package com.acme.libraries;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

public final class Jetty {

  public static void main(String[] args) throws Exception {
    var server = new Server(80);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback)
              throws Exception {
            Thread.sleep((long) (Math.random() * 100));
            response.setStatus(200);
            Content.Sink.write(
                response, true, "answer to " + request.getHttpURI().getPath(), callback);
            return true;
          }
        });
    server.start();
    Calls.run();
    Thread.sleep(120_000);
    server.stop();
    System.out.println("end");
  }
}
