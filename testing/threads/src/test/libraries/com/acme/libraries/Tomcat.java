// DEPS org.apache.tomcat.embed:tomcat-embed-core:11.0.13
package com.acme.libraries;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

public final class Tomcat {

  static final class Answers extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        Thread.sleep((long) (Math.random() * 100));
      } catch (InterruptedException _) {
        return;
      }
      response
          .getWriter()
          .print(
              "answer to "
                  + request.getRequestURI()
                  + " "
                  + (request.getSession().getId() != null));
    }
  }

  public static void main(String[] args) throws Exception {
    var tomcat = new org.apache.catalina.startup.Tomcat();
    tomcat.setBaseDir("/tomcat");
    tomcat.setPort(80);
    var context = tomcat.addContext("", null);
    org.apache.catalina.startup.Tomcat.addServlet(context, "answers", new Answers());
    context.addServletMappingDecoded("/*", "answers");
    tomcat.getConnector();
    tomcat.start();
    Calls.run();
    Thread.sleep(120_000);
    tomcat.stop();
    tomcat.destroy();
    System.out.println("end");
  }
}
