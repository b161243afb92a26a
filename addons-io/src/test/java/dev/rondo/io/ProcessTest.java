package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.ExitStatus;
import dev.rondo.io.process.ExitStatus.Exited;
import dev.rondo.io.process.ExitStatus.Killed;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Child processes: pipes, ends and signals.
@DisabledOnOs(OS.WINDOWS)
class ProcessTest {

  @TempDir Path folder;

  @FunctionalInterface
  private interface Scenario {
    void run(World world, WaitForProcess processes) throws Exception;
  }

  private static void with(IoRig rig, Scenario scenario) throws Exception {
    rig.run(world -> {
      var processes = WaitForProcess.on(world.scheduler());
      assertEquals(processes, WaitForProcess.on(world.scheduler()));
      scenario.run(world, processes);
      assertEquals(0, processes.openCount(), "processes");
    });
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @OnEveryBackend
  void exit_valueAndSignal_areToldApart(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("sh", "-c", "exit 3"))) {
            assertEquals(new Exited(3), child.awaitExit());
            assertEquals(new Exited(3), world.scheduler().await(child.exit()));
            assertFalse(child.terminate());
            assertFalse(child.kill());
            assertFalse(child.signal("TERM"));
          }
          try (var child = processes.start(new ProcessBuilder("sleep", "1000"))) {
            assertTrue(child.terminate());
            assertEquals(new Killed(15), child.awaitExit());
          }
          try (var child = processes.start(new ProcessBuilder("sleep", "1000"))) {
            assertTrue(child.kill());
            assertEquals(new Killed(9), child.awaitExit());
          }
          try (var child = processes.start(new ProcessBuilder("true"))) {
            assertTrue(child.awaitExit().isSuccess());
          }
        });
  }

  @OnEveryBackend
  void pipes_carryBothDirections(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          var bytes = new byte[1_000_000];
          new Random(4).nextBytes(bytes);
          try (var child = processes.start(new ProcessBuilder("cat"))) {
            Task<byte[]> reader = world.scheduler().spawn(() -> child.output().readAllBytes());
            child.input().write(bytes);
            child.input().close();
            assertTrue(Arrays.equals(bytes, reader.join()));
            assertEquals("", text(child.error()));
            assertEquals(new Exited(0), child.awaitExit());
            assertThrows(ChannelClosedException.class, () -> child.input().write(1));
          }
        });
  }

  @OnEveryBackend
  void waiting_leavesTheLoopToOthers(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("cat"))) {
            Task<String> line =
                world
                    .scheduler()
                    .spawn(() ->
                        new BufferedReader(
                                new InputStreamReader(child.output(), StandardCharsets.UTF_8))
                            .readLine());
            try (var pair = world.pair()) {
              pair.client().write("others go on\n");
              assertEquals("others go on", pair.server().readLine(100));
            }
            assertFalse(line.isDone());
            child.input().write("at last\n".getBytes(StandardCharsets.UTF_8));
            assertEquals("at last", line.join());
          }
        });
  }

  @OnEveryBackend
  void builder_environmentFolderAndRedirects(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          Path log = Files.createTempFile(folder, "out", ".log");
          var program = new ProcessBuilder("sh", "-c", "pwd; echo $WORD; echo oops >&2");
          program.directory(folder.toFile());
          program.environment().put("WORD", "said");
          program.redirectOutput(log.toFile());
          try (var child = processes.start(program)) {
            assertEquals("oops\n", text(child.error()));
            assertEquals("", text(child.output()));
            assertTrue(child.awaitExit().isSuccess());
          }
          assertEquals(folder.toRealPath() + "\nsaid\n", Files.readString(log));
          var merged =
              new ProcessBuilder("sh", "-c", "echo a; echo b >&2").redirectErrorStream(true);
          try (var child = processes.start(merged)) {
            assertEquals("a\nb\n", text(child.output()));
          }
        });
  }

  @OnEveryBackend
  void signal_byName_reachesTheProcess(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child =
              processes.start(
                  new ProcessBuilder(
                      "sh", "-c", "trap 'echo got; exit 5' USR1; echo ready; read x"))) {
            var lines =
                new BufferedReader(new InputStreamReader(child.output(), StandardCharsets.UTF_8));
            assertEquals("ready", lines.readLine());
            var e = assertThrows(IllegalArgumentException.class, () -> child.signal("NOSUCH"));
            assertTrue(e.getMessage().contains("NOSUCH"), e::getMessage);
            assertThrows(IllegalArgumentException.class, () -> child.signal("9; rm"));
            assertTrue(child.signal("usr1"));
            child.input().close(); // some shells trap after the read only
            assertEquals("got", lines.readLine());
            assertEquals(new Exited(5), child.awaitExit());
          }
        });
  }

  @OnEveryBackend
  void read_cancelled_losesNothing(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("cat"))) {
            Task<Integer> reader = world.scheduler().spawn(() -> child.output().read());
            world.settle();
            reader.cancel("enough");
            assertThrows(CancellationException.class, reader::join);
            child.input().write("xyz".getBytes(StandardCharsets.UTF_8));
            child.input().close();
            assertEquals("xyz", text(child.output()));
          }
        });
  }

  @OnEveryBackend
  void write_cancelledAtAFullPipe_goesOnInOrder(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("sh", "-c", "read x; cat"))) {
            var bytes = new byte[200_000];
            Arrays.fill(bytes, (byte) 'a');
            child.input().write("go\n".getBytes(StandardCharsets.UTF_8));
            Task<Void> writer = world.spawn("writer", () -> child.input().write(bytes));
            world.settle();
            writer.cancel("enough");
            assertThrows(CancellationException.class, writer::join);
            Task<String> reader = world.scheduler().spawn(() -> text(child.output()));
            child.input().write("end".getBytes(StandardCharsets.UTF_8));
            child.input().close();
            String said = reader.join();
            assertTrue(said.matches("a*end"), () -> said.length() + " bytes");
          }
        });
  }

  /// The close drops unsent bytes, which is not a failure of the program.
  @OnEveryBackend
  void input_ofADeadProcess_isClosedWithoutAReport(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("sleep", "1000"))) {
            var written = new int[1];
            Task<Throwable> writer =
                world.failing(() -> {
                  while (true) {
                    child.input().write(new byte[1_000]); // until the pipe is full
                    written[0]++;
                  }
                });
            int before;
            do {
              before = written[0];
              for (int i = 0; i < 50; i++) {
                world.scheduler().blocking(() -> null);
              }
            } while (written[0] > before || before == 0);
            writer.cancel("enough");
            world.settle();
            child.kill();
            child.awaitExit();
            child.input().close();
          }
        });
  }

  @OnEveryBackend
  void killWithDescendants_processHasStartedOthers_endsAll(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child =
              processes.start(
                  new ProcessBuilder(
                      "sh", "-c", "sleep 1000 & sh -c 'sleep 1001 & echo $!; wait'"))) {
            var lines =
                new BufferedReader(new InputStreamReader(child.output(), StandardCharsets.UTF_8));
            ProcessHandle grandchild =
                ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            assertTrue(grandchild.isAlive());
            int ended = child.killWithDescendants();
            assertTrue(ended >= 3, "ended: " + ended);
            child.awaitExit();
            assertNull(lines.readLine(), "the last one that could write has ended");
            assertEquals(0, child.killWithDescendants());
          }
        });
  }

  @Test
  void killed_signal_hasItsName() {
    assertEquals("KILL", new Killed(9).name());
    assertEquals("TERM", new Killed(15).name());
    assertEquals("SEGV", new Killed(11).name());
    assertEquals("63", new Killed(63).name(), "one without a name of its own");
    assertEquals("Killed[signal=9, name=KILL]", new Killed(9).toString());
  }

  @OnEveryBackend
  void awaitExit_cancelled_leavesTheProcess_closeKillsIt(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          ChildProcess child = processes.start(new ProcessBuilder("sleep", "1000"));
          Task<ExitStatus> waiting = world.scheduler().spawn(child::awaitExit);
          world.settle();
          waiting.cancel("enough");
          assertThrows(CancellationException.class, waiting::join);
          assertTrue(ProcessHandle.of(child.pid()).orElseThrow().isAlive());
          Task<ExitStatus> other = world.scheduler().spawn(child::awaitExit);
          Task<Throwable> reader = world.failing(() -> child.output().read());
          world.settle();
          child.close();
          child.close();
          assertEquals(new Killed(9), other.join());
          assertInstanceOf(ChannelClosedException.class, reader.join());
        });
  }

  @OnEveryBackend
  void start_impossible_saysWhat(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          var e =
              assertThrows(
                  IOException.class,
                  () -> processes.start(new ProcessBuilder("no-such-program-here")));
          assertTrue(e.getMessage().contains("no-such-program-here"), e::getMessage);
          var program = new ProcessBuilder("true").directory(folder.resolve("gone").toFile());
          var f = assertThrows(IOException.class, () -> processes.start(program));
          assertTrue(f.getMessage().contains("gone"), f::getMessage);
          assertThrows(IllegalArgumentException.class, () -> processes.start(new ProcessBuilder()));
        });
  }

  @OnEveryBackend
  void many_leakNoDescriptors(IoRig rig) throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(descriptors));
    with(
        rig,
        (world, processes) -> {
          long before = 0;
          for (int i = 0; i < 30; i++) {
            if (i == 5) {
              before = count(descriptors);
            }
            try (var child = processes.start(new ProcessBuilder("echo", "x"))) {
              child.awaitExit();
            }
          }
          long after = count(descriptors);
          assertTrue(after <= before + 5, "before=" + before + ", after=" + after);
          var tasks = new ArrayList<Task<ExitStatus>>();
          for (int i = 0; i < 10; i++) {
            int value = i;
            tasks.add(
                world
                    .scheduler()
                    .spawn(() -> {
                      try (var child =
                          processes.start(new ProcessBuilder("sh", "-c", "exit " + value))) {
                        return child.awaitExit();
                      }
                    }));
          }
          for (int i = 0; i < 10; i++) {
            assertEquals(new Exited(i), tasks.get(i).join());
          }
        });
  }

  private static long count(Path folder) throws IOException {
    try (var list = Files.list(folder)) {
      return list.count();
    }
  }

  /// The same code as for a socket.
  @OnEveryBackend
  void stream_limitsBuffersAndMessages_areThoseOfASocket(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("cat"))) {
            ByteStream stream = ByteStream.of(child.output(), child.input(), child.toString());
            assertTrue(
                stream.toString().startsWith("stream to process cat (pid "), stream::toString);
            stream.readTimeout(Duration.ofSeconds(1));
            Task<Throwable> late = world.failing(() -> stream.readLine(100));
            world.settle();
            world.timer().fire();
            assertInstanceOf(TimedOutException.class, late.join());
            stream.readTimeout(null);
            OutputStream out = stream.bufferedOutput(1_000);
            out.write("small ".getBytes(StandardCharsets.UTF_8));
            out.write("pieces\nthree;".getBytes(StandardCharsets.UTF_8));
            out.flush();
            assertEquals("small pieces", stream.readLine(100));
            assertThrows(DelimiterNotFoundException.class, () -> stream.readUntil((byte) ';', 2));
            assertEquals(
                "three", new String(stream.readUntil((byte) ';', 5), StandardCharsets.UTF_8));
            assertEquals(0, stream.tryRead(ByteBuffer.allocate(9)));
            world.scheduler().await(stream.writable());
            stream.write("12");
            child.input().close();
            var e =
                assertThrows(
                    EndOfStreamException.class, () -> stream.readFully(ByteBuffer.allocate(3)));
            assertEquals(2, e.bytesRead());
            assertEquals(-1, stream.tryRead(ByteBuffer.allocate(9)));
            assertFalse(stream.isOpen());
            stream.close();
            assertThrows(ChannelClosedException.class, () -> stream.readLine(1));
            assertEquals(new Exited(0), child.awaitExit());
          }
        });
  }

  @OnEveryBackend
  void write_processDoesNotRead_endsByItsLimitAndSaysHowFarItCame(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("sleep", "1000"))) {
            child.input().writeTimeout(Duration.ofSeconds(1));
            var src = ByteBuffer.allocate(1_000_000);
            Task<Throwable> late = world.failing(() -> child.input().write(src));
            world.settle();
            world.timer().fire();
            Throwable e = late.join();
            assertInstanceOf(TimedOutException.class, e);
            var progress = assertInstanceOf(PartialWriteException.class, e.getSuppressed()[0]);
            assertEquals(src.position(), progress.bytesWritten());
            assertEquals(src.remaining(), progress.bytesLeft());
            assertTrue(src.position() > 0, src::toString);
          }
        });
  }

  /// The line with which a program answers over any kind of stream.
  private static String dialogue(ByteStream stream) throws IOException {
    stream.write("hello\n");
    return stream.readLine(100);
  }

  @OnEveryBackend
  void stream_switchedBetweenTcpAndAProcess_sameProgram(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("cat"))) {
            assertEquals(
                "hello", dialogue(ByteStream.of(child.output(), child.input(), child.toString())));
          }
          try (var pair = world.pair()) {
            Task<Void> echo =
                world.spawn("echo", () -> pair.server().write(pair.server().readLine(100) + "\n"));
            assertEquals("hello", dialogue(pair.client()));
            echo.join();
          }
        });
  }

  /// The JDK's message would be "Stream closed", as if the program had closed the stream.
  @OnEveryBackend
  void write_processHasEnded_saysHow(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var exited = processes.start(new ProcessBuilder("sh", "-c", "exit 3"));
              var killed = processes.start(new ProcessBuilder("sleep", "1000"));
              var deaf =
                  processes.start(
                      new ProcessBuilder("sh", "-c", "exec <&-; echo closed; exec sleep 1000"))) {
            exited.awaitExit();
            killed.kill();
            killed.awaitExit();
            assertEquals("closed", deaf.output().readLine(100));
            assertEquals(
                "write input of sh (pid %d): broken pipe, the process has exited with 3"
                    .formatted(exited.pid()),
                failureOfWrite(exited));
            assertEquals(
                "write input of sleep (pid %d): broken pipe, the process was killed by signal 9 (KILL)"
                    .formatted(killed.pid()),
                failureOfWrite(killed));
            assertEquals(
                "write input of sh (pid %d): broken pipe, the process has closed its input (Broken pipe)"
                    .formatted(deaf.pid()),
                failureOfWrite(deaf));
          }
        });
  }

  private static String failureOfWrite(ChildProcess to) {
    return assertThrows(IOException.class, () -> to.input().write("hello")).getMessage();
  }

  /// The message does not name the JDK's future behind the pipe.
  @OnEveryBackend
  void read_scheduledDirectly_theMessageHasThePipe(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("cat"))) {
            Task<Throwable> waiting = world.failing(() -> child.output().read());
            world.settle();
            assertTrue(world.scheduler().scheduleTask(waiting));
            String told = waiting.join().getMessage();
            assertTrue(told.startsWith("the wait for completion of output of cat (pid "), told);
          }
        });
  }

  @OnEveryBackend
  void exit_limitIsOver_theMessageHasTheProcess(IoRig rig) throws Exception {
    with(
        rig,
        (world, processes) -> {
          try (var child = processes.start(new ProcessBuilder("cat"))) {
            Task<Throwable> waiting =
                world.failing(() -> world.scheduler().await(child.exit(), Duration.ofSeconds(1)));
            world.settle();
            world.timer().fire();
            assertEquals(
                "gave up after 1 s: completion of cat (pid " + child.pid() + ")",
                waiting.join().getMessage());
          }
        });
  }
}
