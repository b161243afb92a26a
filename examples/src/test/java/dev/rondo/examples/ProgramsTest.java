package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The programs as people start them: in JVMs of their own, with real time and real sockets.
final class ProgramsTest {

  private static Process start(Class<?> program, String... options) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static List<String> restOf(BufferedReader output) throws IOException {
    var lines = new ArrayList<String>();
    for (String line; (line = output.readLine()) != null; ) {
      lines.add(line);
    }
    return lines;
  }

  @Test
  void hello_aClient_isEchoedAndTheProgramEndsByItself() throws Exception {
    Process process = start(Hello.class, "-Dport=0");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      int port = portIn(output.readLine());
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
        socket.shutdownOutput();
        assertEquals(
            "hello\n", new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      }
      List<String> lines = restOf(output);
      assertTrue(lines.size() >= 4 && lines.stream().allMatch("tick"::equals), lines::toString);
      assertEquals(0, process.waitFor());
    }
  }

  @Test
  void httpServer_terminatedWhileItAnswers_answersAndEnds() throws Exception {
    Process process = start(HttpServer.class, "-Dport=0");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        var client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + portIn(output.readLine()) + "/ticks");
      HttpResponse<InputStream> response =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
      process.toHandle().destroy(); // TERM, after the first tick
      String text = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(text.endsWith("tick 5\n"), text);
      assertEquals(List.of("1 connections served, 1 requests answered"), restOf(output));
      assertEquals(128 + 15, process.waitFor());
    }
  }

  private static int portIn(@Nullable String line) {
    assertNotNull(line);
    return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"continuation", "bound", "handoff"})
  void demo_anyBackend_showsEveryWordAndEndsByItself(String backend) throws Exception {
    Process process = start(Demo.class, "-Drondo.backend=" + backend);
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String text = String.join("\n", restOf(output));
      assertEquals(0, process.waitFor(), text);
      for (String part :
          List.of(
              backend.toUpperCase(Locale.ROOT) + " backend",
              "when      all 300 bidders are here",
              "signal    'open' woke 300 tasks",
              "periodic  300 online",
              "whenever  the price has passed 500",
              "timeout   5 bidders",
              "delay     sold to",
              "join      all 300 bidders have gone home",
              "300 connections served",
              "5 silent bidders shown out, 0 still connected")) {
        assertTrue(text.contains(part), () -> "'" + part + "' is missing in:\n" + text);
      }
    }
  }
}
