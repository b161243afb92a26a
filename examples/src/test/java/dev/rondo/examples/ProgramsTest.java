package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.BackendsToTest;
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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs each program as a user does: in its own JVM, with real time and real sockets. While they
/// wait, other tests go on.
@Execution(ExecutionMode.CONCURRENT)
final class ProgramsTest {

  private static Process start(Class<?> program, String... options) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
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
    Process process = start(TinyHttpServer.class, "-Dport=0");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        var client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + portIn(output.readLine()) + "/ticks");
      HttpResponse<InputStream> response =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
      process.toHandle().destroy(); // SIGTERM, after the first tick
      String text = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(text.endsWith("tick 5\n"), text);
      assertEquals(List.of("1 connections served, 1 requests answered"), restOf(output));
      assertEquals(128 + 15, process.waitFor());
    }
  }

  /// A program that needs no input, and parts of its output.
  record Program(Class<?> type, List<String> parts) {

    Program(Class<?> type, String... parts) {
      this(type, List.of(parts));
    }

    @Override
    public String toString() {
      return type.getSimpleName();
    }
  }

  static List<Program> programs() {
    return List.of(
        new Program(EchoServer.class, "100 clients, 10000 lines came back"),
        new Program(AllCores.class, "100 clients, 10000 lines came back"),
        new Program(NettyLines.class, "20 clients, 1000 answers", "all is closed, 0 waits"),
        new Program(NettyHttp.class, "3 requests, all in time: true"),
        new Program(WebChat.class, "3 guests, 9 lines read"),
        new Program(
            FileServer.class,
            "GET / 200, 16 bytes",
            "GET / 304, 0 bytes",
            "GET /large.bin 200, 10,000,000 bytes",
            "GET /large.bin 206, 1,000 bytes",
            "GET /%2e%2e/secret 404"),
        new Program(
            Pumpkin.class,
            "periodic  it is 11 o'clock",
            "whenever  Cinderella thinks of the time",
            "when      the coach becomes a pumpkin",
            "waitFor   Cinderella runs",
            "onSignal  the prince finds a slipper",
            "waitFor   Cinderella is at home"),
        new Program(
            SiteProbe.class,
            "quick   says 'you said hello' after ",
            "slow    says 'you said hello' after ",
            "silent  no answer within 1000 ms",
            "closed  cannot be reached"),
        new Program(
            ShutDownWell.class,
            "shutdown  tasks may go on for 1 s",
            "guard     the door is locked",
            "the end   0 tasks did not end"),
        new Program(
            Tinn.class,
            "spawn     two tasks have counted 2,500 multiples of 2 and 1,000 multiples of 5",
            "delay     half a tick is over",
            "periodic  tick 1",
            "when      the second tick, and no other",
            "whenever  a tick, whichever it is",
            "onSignal  half-time",
            "signalAll 2 tasks were waiting for the pause",
            "connect   the echo server answers 'hello'",
            "signalOne the first of two tasks was woken: true",
            "signalAllImmediate 1 task runs before all others",
            "timeout   no extra time was signalled within 100 ms",
            "ticks are over; the spinner has had"),
        new Program(Pipeline.class, "2 AND\n1 CAT\n1 DOG\n1 MOUSE\n3 THE"),
        new Program(ThreeLoops.class, "3 and\n2 cat\n1 dog\n1 mouse\n4 the"),
        new Program(WordCount.class, "3 and\n2 cat\n1 dog\n1 end\n1 mouse\n5 the"),
        new Program(
            DnsLookup.class,
            "known.test: [192.0.2.1]",
            "unknown.test: there is no such name",
            "secret.test: the server says REFUSED",
            "silent.test: no answer, asked twice"));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void program_started_printsAndEndsByItself(Program program) throws Exception {
    Process process = start(program.type());
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String text = String.join("\n", restOf(output));
      assertEquals(0, process.waitFor(), text);
      for (String part : program.parts()) {
        assertTrue(text.contains(part), () -> "'" + part + "' is missing in:\n" + text);
      }
    }
  }

  @Test
  void chat_aGuest_readsWhatHeSaysAndIsShownOutAtTheEnd() throws Exception {
    Process process = start(Chat.class, "-Dport=0", "-Dseconds=2");
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        var socket = new Socket(InetAddress.getLoopbackAddress(), portIn(output.readLine()))) {
      socket.getOutputStream().write("Ann\nhello\n".getBytes(StandardCharsets.UTF_8));
      assertEquals(
          "* Ann has come\nAnn: hello\n* good night\n",
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      assertTrue(restOf(output).contains("1 in the room"));
      assertEquals(0, process.waitFor());
    }
  }

  private static int portIn(@Nullable String line) {
    assertNotNull(line);
    return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
  }

  private static List<String> backends() {
    return BackendsToTest.of(ProgramsTest.class);
  }

  @ParameterizedTest
  @MethodSource("backends")
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
              "whenever  the price has passed 100",
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
