package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The transport of a scheduler.
class TransportTest {

  private static final String REQUIRES = "it requires flags";

  /// Sends a line through a connection with itself, and prints the transport and backend.
  static final class Program {

    private Program() {}

    static void main(String[] args) {
      try (Scheduler scheduler = Scheduler.create()) {
        scheduler.spawn(() -> {
          try {
            WaitForIO io = WaitForIO.on(scheduler);
            try (TcpListener listener = io.listen(0);
                TcpSocket client = io.connect("127.0.0.1", listener.port());
                TcpSocket server = listener.accept()) {
              client.write(
                  "by "
                      + io.transport()
                      + " on "
                      + LoopControl.of(scheduler.host()).backend().name()
                      + "\n");
              System.out.println("received: " + server.readLine(100));
            }
          } catch (RuntimeException e) {
            System.out.println("received: " + e);
          }
        });
        scheduler.start();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    ", true, EPOLL",
    ", false, NIO",
    "nio, true, NIO",
    "NIO, false, NIO",
    "epoll, true, EPOLL",
    "EPoll, false, NIO",
  })
  void of_epollIsPossible(String wanted, boolean platformThread, Transport expected) {
    assertEquals(expected, Transport.of(wanted, () -> null, platformThread));
  }

  /// Finding out takes as long as the start of a small program.
  @ParameterizedTest
  @CsvSource({", false", "nio, true", "nio, false"})
  void of_itDoesNotMatter_isNotAsked(String wanted, boolean platformThread) {
    assertEquals(Transport.NIO, Transport.of(wanted, () -> fail("asked"), platformThread));
  }

  @ParameterizedTest
  @CsvSource({", NIO", "nio, NIO"})
  void of_epollIsNotPossible(String wanted, Transport expected) {
    assertEquals(expected, Transport.of(wanted, () -> REQUIRES, true));
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void of_epollIsWantedAndNotPossible_saysWhy(boolean platformThread) {
    var thrown =
        assertThrows(
            UnsupportedOperationException.class,
            () -> Transport.of("epoll", () -> REQUIRES, platformThread));
    assertEquals("there is no EPOLL transport: " + REQUIRES, thrown.getMessage());
  }

  @Test
  void of_unknown_saysWhatThereIs() {
    var thrown =
        assertThrows(
            IllegalArgumentException.class, () -> Transport.of("kqueue", () -> null, true));
    assertEquals("no transport is named 'kqueue'; there are nio and epoll", thrown.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"CONTINUATION, EPOLL", "CONTINUATION_ON_NIO, NIO", "BOUND, EPOLL", "HANDOFF, NIO"})
  void transport_ofABackend(IoRig rig, Transport expected) throws Exception {
    var seen = new ArrayList<Transport>();
    rig.run(world -> seen.add(world.io().transport()));
    assertEquals(List.of(expected), seen);
  }

  private static final List<String> CONTINUATION =
      List.of("--add-exports", "java.base/jdk.internal.vm=ALL-UNNAMED");
  private static final List<String> EXPORT =
      List.of("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED");
  private static final List<String> NATIVE = List.of("--enable-native-access=ALL-UNNAMED");
  private static final List<String> WANTED = List.of("-Drondo.transport=epoll");

  static Stream<Arguments> jvms() {
    String needs =
        "java.lang.UnsupportedOperationException: there is no EPOLL transport: it requires the JVM"
            + " flags --add-exports java.base/sun.nio.ch=ALL-UNNAMED"
            + " --enable-native-access=ALL-UNNAMED";
    return Stream.of(
        arguments(List.of(CONTINUATION), "by NIO on CONTINUATION"),
        arguments(List.of(CONTINUATION, EXPORT), "by NIO on CONTINUATION"),
        arguments(List.of(CONTINUATION, NATIVE), "by NIO on CONTINUATION"),
        arguments(List.of(CONTINUATION, EXPORT, NATIVE), "by EPOLL on CONTINUATION"),
        arguments(List.of(EXPORT, NATIVE, WANTED), "by NIO on HANDOFF"),
        arguments(List.of(CONTINUATION, EXPORT, WANTED), needs),
        arguments(List.of(CONTINUATION, NATIVE, WANTED), needs));
  }

  /// Without the flags the JVM would print a warning about native calls.
  @ParameterizedTest
  @MethodSource("jvms")
  void transport_ofAJvm(List<List<String>> flags, String expected) throws Exception {
    String said =
        ChildJvm.said(
            flags.stream().flatMap(List::stream).toList(),
            System.getProperty("java.class.path"),
            Program.class);
    assertTrue(said.endsWith("received: " + expected + "\n"), said);
    assertTrue(!said.contains("WARNING"), said);
  }
}
