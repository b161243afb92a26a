package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
      String first = output.readLine();
      assertNotNull(first);
      int port = Integer.parseInt(first.substring(first.lastIndexOf(' ') + 1));
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
