// DEPS io.micronaut.platform:micronaut-platform:4.10.8@pom
// DEPS io.micronaut:micronaut-http-server-netty
// DEPS io.micronaut:micronaut-inject-java
// DEPS io.micronaut:micronaut-jackson-databind
package com.acme.libraries;

import io.micronaut.context.ApplicationContext;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Map;

public final class Micronaut {

  @Controller
  public static class Answers {
    @Get("/{number}")
    @ExecuteOn(TaskExecutors.BLOCKING)
    public String answer(int number) throws InterruptedException {
      Thread.sleep((long) (Math.random() * 100));
      return "answer to " + number;
    }
  }

  public static void main(String[] args) throws Exception {
    var context = ApplicationContext.run(Map.of("micronaut.server.port", 80));
    var server = context.getBean(EmbeddedServer.class).start();
    Calls.run();
    Thread.sleep(120_000);
    server.stop();
    context.close();
    System.out.println("end");
  }
}
