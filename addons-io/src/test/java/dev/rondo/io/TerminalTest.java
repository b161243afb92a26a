package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.terminal.StandardStreams;
import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.scheduler.Task;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/// Standard streams, and terminals at the other end of pipes.
class TerminalTest {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @OnEveryBackend
  @ResourceLock(Resources.SYSTEM_OUT)
  void standardStreams_readAndWrite(IoRig rig) throws Exception {
    InputStream in = System.in;
    PrintStream out = System.out;
    var shown = new ByteArrayOutputStream();
    var typed = new PipedOutputStream();
    try {
      System.setIn(new PipedInputStream(typed));
      System.setOut(new PrintStream(shown, true));
      rig.run(world -> {
        var streams = StandardStreams.on(world.scheduler());
        assertSame(streams, StandardStreams.on(world.scheduler()));
        Task<String> waiting = world.scheduler().spawn(() -> streams.readLine(100));
        world.settle();
        try (var pair = world.pair()) {
          pair.client().write("others go on\n");
          assertEquals("others go on", pair.server().readLine(100));
        }
        waiting.cancel("enough");
        assertThrows(CancellationException.class, waiting::join);
        typed.write(bytes("first\r\nsecond\nlonger\nlast"));
        typed.close();
        assertEquals("first", streams.readLine(100));
        assertEquals("second", streams.readLine(6));
        var e = assertThrows(IOException.class, () -> streams.readLine(5));
        assertTrue(e.getMessage().contains("limit=5"), e::getMessage);
        assertEquals("longer", streams.readLine(6)); // nothing was lost
        assertEquals("last", streams.readLine(5));
        assertNull(streams.readLine(5));
        assertThrows(IllegalArgumentException.class, () -> streams.readLine(-1));
        streams.output().write(bytes("shown"));
      });
    } finally {
      System.setIn(in);
      System.setOut(out);
    }
    assertEquals("shown", shown.toString(StandardCharsets.UTF_8));
  }

  @OnEveryBackend
  void terminal_linesThenKeys(IoRig rig) throws Exception {
    rig.run(world -> {
      var typed = new PipedOutputStream();
      var shown = new ByteArrayOutputStream();
      try (var terminal =
          TaskTerminal.open(world.scheduler(), "dumb", new PipedInputStream(typed), shown)) {
        Task<String> waiting = world.scheduler().spawn(() -> terminal.readLine("name? "));
        world.settle();
        waiting.cancel("enough");
        assertThrows(CancellationException.class, waiting::join);
        assertThrows(IllegalStateException.class, terminal::readKey);
        typed.write(bytes("Ada\r"));
        typed.flush();
        assertEquals("Ada", terminal.readLine("name? "));
        assertTrue(shown.toString(StandardCharsets.UTF_8).contains("name? "));

        terminal.enterRawMode();
        terminal.enterRawMode();
        assertThrows(IllegalStateException.class, () -> terminal.readLine("x"));
        Task<Integer> key = world.scheduler().spawn(terminal::readKey);
        world.settle();
        typed.write('q');
        typed.flush();
        assertEquals('q', key.join());
        terminal.leaveRawMode();
        Task<Integer> another = world.scheduler().spawn(terminal::readKey);
        world.settle();
        var e = assertThrows(IllegalStateException.class, () -> terminal.readLine("x"));
        assertEquals("a read of a key is under way on the terminal", e.getMessage());
        typed.write('r');
        typed.flush();
        assertEquals('r', another.join());
        terminal.write("bye");
        assertTrue(shown.toString(StandardCharsets.UTF_8).endsWith("bye"));
        assertTrue(terminal.columns() >= 0 && terminal.rows() >= 0);
      }
    });
  }

  @OnEveryBackend
  void write_terminalIsBroken_saysSo(IoRig rig) throws Exception {
    rig.run(world -> {
      var broken =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              throw new IOException("no more");
            }
          };
      try (var terminal =
          TaskTerminal.open(
              world.scheduler(), "dumb", new PipedInputStream(new PipedOutputStream()), broken)) {
        var e = assertThrows(IOException.class, () -> terminal.write("lost"));
        assertTrue(e.getMessage().contains("streams"), e::getMessage);
      }
    });
  }

  @OnEveryBackend
  @ResourceLock(Resources.SYSTEM_OUT)
  void standardOutput_isBroken_saysSo(IoRig rig) throws Exception {
    PrintStream out = System.out;
    try {
      System.setOut(
          new PrintStream(
              new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                  throw new IOException("no more");
                }
              }));
      rig.run(world -> {
        var streams = StandardStreams.on(world.scheduler());
        var e = assertThrows(IOException.class, () -> streams.output().write(bytes("lost")));
        assertTrue(e.getMessage().contains("standard output"), e::getMessage);
      });
    } finally {
      System.setOut(out);
    }
  }

  /// JLine would restore the terminal when the line is read.
  @OnEveryBackend
  void raw_whileALineIsRead_isRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      var typed = new PipedOutputStream();
      var terminal =
          TaskTerminal.open(
              world.scheduler(), "dumb", new PipedInputStream(typed), new ByteArrayOutputStream());
      try (terminal) {
        Task<String> waiting = world.scheduler().spawn(() -> terminal.readLine("?"));
        world.settle();
        assertThrows(IllegalStateException.class, terminal::enterRawMode);
        typed.write(bytes("on\r"));
        typed.flush();
        assertEquals("on", waiting.join());
      }
      for (Executable each :
          new Executable[] {terminal::enterRawMode, terminal::columns, terminal::rows}) {
        var e = assertThrows(IllegalStateException.class, each);
        assertTrue(e.getMessage().contains("closed the terminal"), e::getMessage);
      }
      terminal.leaveRawMode();
    });
  }

  @OnEveryBackend
  void terminal_closedUnderAReader_tellsIt(IoRig rig) throws Exception {
    rig.run(world -> {
      var typed = new PipedOutputStream();
      var terminal =
          TaskTerminal.open(
              world.scheduler(), "dumb", new PipedInputStream(typed), new ByteArrayOutputStream());
      Task<Throwable> waiting = world.failing(terminal::readKey);
      world.settle();
      terminal.close();
      terminal.close();
      assertInstanceOf(ChannelClosedException.class, waiting.join());
      assertThrows(ChannelClosedException.class, () -> terminal.readLine("?"));
      assertThrows(ChannelClosedException.class, () -> terminal.write("?"));
    });
  }

  /// JLine closes it when the thread that reads has ended, and no task waits for that.
  @OnEveryBackend
  void terminal_closedUnderAReaderAndThatFails_isReported(IoRig rig) throws Exception {
    rig.run(world -> {
      var failure = new UncheckedIOException(new IOException("unplugged")); // a writer hides others
      var typed = new PipedOutputStream();
      var shown =
          new ByteArrayOutputStream() {
            @Override
            public void close() {
              throw failure;
            }
          };
      var terminal =
          TaskTerminal.open(world.scheduler(), "dumb", new PipedInputStream(typed), shown);
      Task<Throwable> waiting = world.failing(terminal::readKey);
      world.settle();
      terminal.close();
      assertInstanceOf(ChannelClosedException.class, waiting.join());
      typed.close();
      while (world.failures().isEmpty()) {
        world.scheduler().blocking(() -> null);
      }
      assertEquals(List.of(failure), world.failures());
      world.failures().clear();
    });
  }
}
