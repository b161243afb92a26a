package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Voters with processes of their own, which are killed and stopped.
///
/// The longer run: `-Dcluster.cycles=100000`.
final class LeaseProcessesTest {

  /// What takes longer hangs.
  private static final int HANG_SECONDS = 120;

  private static final int CYCLES = Integer.getInteger("cluster.cycles", 200);

  @TempDir Path folder;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /// All that processes print, in the order in which it arrives here.
  private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();

  private record Line(String node, String text, long nanos) {}

  private record Node(String name, Process process, BufferedWriter in) {

    void tell(String line) throws IOException {
      in.write(line + "\n");
      in.flush();
    }

    void signal(String signal) throws Exception {
      Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
      assertEquals(0, kill.waitFor());
    }
  }

  /// Starts voters, and waits until all have joined.
  private void startAll(String... names) throws Exception {
    for (String each : names) {
      try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        ports.put(each, socket.getLocalPort());
      }
    }
    for (String each : names) {
      start(each);
    }
    for (int left = names.length; left > 0; left--) {
      var _ = await("joined");
    }
  }

  private Node start(String name) throws IOException {
    String voters =
        ports.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(","));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LeaseProcess.class.getName(),
                name,
                voters,
                folder.toString())
            .redirectError(
                ProcessBuilder.Redirect.appendTo(new File("target", "lease-" + name + ".txt")))
            .start();
    var node = new Node(name, process, process.outputWriter());
    nodes.put(name, node);
    var _ =
        Thread.ofVirtual()
            .start(() -> {
              try (var out = process.inputReader()) {
                for (String line; (line = out.readLine()) != null; ) {
                  lines.add(new Line(name, line, System.nanoTime()));
                }
              } catch (IOException e) {
                // It was killed.
              }
            });
    return node;
  }

  private Node node(String name) {
    return nodes.get(name);
  }

  private Line next() throws InterruptedException {
    Line line = lines.poll(HANG_SECONDS, TimeUnit.SECONDS);
    assertTrue(line != null, "no process prints anything");
    return line;
  }

  private Line await(String start) throws InterruptedException {
    Line line;
    do {
      line = next();
    } while (!line.text().startsWith(start));
    return line;
  }

  private static long number(Line line) {
    return Long.parseLong(line.text().substring(line.text().indexOf(' ') + 1));
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Node each : nodes.values()) {
      var _ = each.process().destroyForcibly();
      assertTrue(each.process().waitFor(HANG_SECONDS, TimeUnit.SECONDS));
    }
  }

  /// Waits until another node than the one has the lease, with a larger token.
  private Line awaitOther(Line holder) throws InterruptedException {
    Line line;
    do {
      line = await("token");
    } while (line.node().equals(holder.node()));
    assertTrue(number(line) > number(holder), line + " after " + holder);
    return line;
  }

  private void allHold() throws IOException {
    for (Node each : nodes.values()) {
      each.tell("hold");
    }
  }

  @Test
  @Timeout(3 * HANG_SECONDS)
  void holdersThatAreKilled_loseTheLease_twoOfFive() throws Exception {
    startAll("a", "b", "c", "d", "e");
    allHold();
    Line first = await("token");
    node(first.node()).signal("KILL");
    long killed = System.nanoTime();
    Line second = awaitOther(first);
    report("kill -9 of the holder", second.nanos() - killed);
    node(second.node()).signal("KILL");
    killed = System.nanoTime();
    Line third = awaitOther(second);
    report("kill -9 of the next", third.nanos() - killed);
    var _ = start(first.node());
    Node again = node(first.node());
    var _ = await("joined");
    again.tell("add");
    assertEquals(1, number(await("sum")));
  }

  private static void report(String what, long nanos) {
    System.out.printf("%s: %d ms until another has the lease%n", what, nanos / 1_000_000);
  }

  /// A process that was stopped does not act with its token: what it does is decided by its clock,
  /// not by a message that it has not read.
  @Test
  @Timeout(3 * HANG_SECONDS)
  void aHolderThatIsStopped_doesNotBelieveInItsLease() throws Exception {
    startAll("a", "b", "c");
    allHold();
    Line first = await("token");
    node(first.node()).signal("STOP");
    long stopped = System.nanoTime();
    Line second = awaitOther(first);
    report("SIGSTOP of the holder", second.nanos() - stopped);
    lines.removeIf(line -> line.node().equals(first.node()));
    node(first.node()).signal("CONT");
    var late = new ArrayList<String>();
    while (true) {
      Line line = next();
      if (line.node().equals(first.node())) {
        if (line.text().equals("lost")) {
          break;
        }
        if (line.text().startsWith("token ")) {
          late.add(line.text());
        }
      }
    }
    // One line may have been under way between the look at the clock and its printing.
    assertTrue(late.size() <= 1, late::toString);
  }

  @Test
  @Timeout(3 * HANG_SECONDS)
  void aLeaseThatGoesRound_hasOneHolderPerToken() throws Exception {
    startAll("a", "b", "c");
    for (Node each : nodes.values()) {
      each.tell("cycles " + CYCLES / nodes.size());
    }
    long begin = System.nanoTime();
    List<Long> tokens = new ArrayList<>();
    for (int ended = 0; ended < nodes.size(); ) {
      Line line = next();
      if (line.text().equals("cycled")) {
        ended++;
      } else if (line.text().startsWith("cycle ")) {
        tokens.add(number(line));
      }
    }
    assertEquals(CYCLES / nodes.size() * nodes.size(), tokens.size());
    assertEquals(tokens.size(), tokens.stream().distinct().count(), "a token had two holders");
    System.out.printf(
        "%d lease cycles, %d per second%n",
        tokens.size(), tokens.size() * 1_000_000_000L / (System.nanoTime() - begin));
  }
}
