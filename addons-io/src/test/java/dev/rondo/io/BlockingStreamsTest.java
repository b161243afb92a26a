package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.internal.Throwables;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.BackendsDiffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Tasks that share a stream that blocks.
@BackendsDiffer
class BlockingStreamsTest {

  /// Otherwise both tasks would receive the same bytes.
  @OnEveryBackend
  void read_bySecondTask_isRefusedAndTheFirstGoesOn(IoRig rig) throws Exception {
    rig.run(world -> {
      var typed = new PipedOutputStream();
      try (InputStream in =
          new BlockingInput(world.scheduler(), "test", new PipedInputStream(typed))) {
        Task<Integer> first = world.scheduler().spawn("first", () -> in.read());
        world.settle();
        var e = assertThrows(IllegalStateException.class, in::read);
        assertTrue(e.getMessage().contains("'first'"), e.getMessage());
        typed.write("ab".getBytes(StandardCharsets.US_ASCII));
        typed.flush();
        assertEquals('a', first.join());
        assertEquals('b', in.read());
        typed.close();
        assertEquals(-1, in.read());
      }
    });
  }

  @OnEveryBackend
  void write_bySeveralTasks_comesWholeOneAfterTheOther(IoRig rig) throws Exception {
    rig.run(world -> {
      var gate = new CountDownLatch(1);
      var shown = new ByteArrayOutputStream();
      var slow =
          new OutputStream() {
            @Override
            public void write(int b) {
              throw new AssertionError("one by one");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              shown.write(bytes, offset, length);
            }
          };
      try (OutputStream out = new BlockingOutput(world.scheduler(), "test", slow)) {
        var writers = new ArrayList<Task<Void>>();
        for (String each : new String[] {"one ", "two ", "three "}) {
          writers.add(world.spawn(each, () -> out.write(each.getBytes(StandardCharsets.US_ASCII))));
        }
        world.settle();
        writers.get(1).cancel("enough"); // it has not begun
        gate.countDown();
        for (Task<Void> each : writers) {
          if (each != writers.get(1)) {
            each.join();
          }
        }
      }
      assertEquals("one three ", shown.toString(StandardCharsets.US_ASCII));
    });
  }

  /// Ends when a gate opens. Notes the threads that read.
  private static final class EndsLater extends InputStream {

    private final CountDownLatch gate;
    private final List<Thread> readers;

    EndsLater(CountDownLatch gate, List<Thread> readers) {
      this.gate = gate;
      this.readers = readers;
    }

    @Override
    public int read() {
      throw new AssertionError("one by one");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      readers.add(Thread.currentThread());
      awaitUninterruptibly(gate);
      return -1;
    }
  }

  @OnEveryBackend
  void close_underATaskThatWaits_tellsItAtOnce(IoRig rig) throws Exception {
    rig.run(world -> {
      var never = new CountDownLatch(1);
      var stuck = new EndsLater(never, new CopyOnWriteArrayList<>());
      var in = new BlockingInput(world.scheduler(), "test", stuck);
      Task<Throwable> reader = world.failing(in::read);
      world.settle();
      in.close();
      assertInstanceOf(ChannelClosedException.class, reader.join());
      never.countDown();
    });
  }

  /// As when a process is killed by the close of its pipes' owner: the pipes break before they are
  /// closed.
  @OnEveryBackend
  void close_ofAStreamThatHasJustEnded_isAClose(IoRig rig) throws Exception {
    rig.run(world -> {
      var gate = new CountDownLatch(1);
      var ends = new CopyOnWriteArrayList<Thread>();
      var broken =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              ends.add(Thread.currentThread());
              awaitUninterruptibly(gate);
              throw new IOException("Broken pipe");
            }
          };
      var ended = new EndsLater(gate, ends);
      var out = new BlockingOutput(world.scheduler(), "out", broken);
      var in = new BlockingInput(world.scheduler(), "in", ended);
      Task<Throwable> writer = world.failing(() -> out.write(ByteBuffer.allocate(1)));
      world.settle();
      awaitWaiting(ends, 1);
      Task<Throwable> reader = world.failing(in::read);
      world.settle();
      awaitWaiting(ends, 2);
      gate.countDown();
      awaitIdle(ends); // each call has ended, which the loop has not seen
      out.abandon();
      in.close();
      assertInstanceOf(ChannelClosedException.class, writer.join());
      assertInstanceOf(ChannelClosedException.class, reader.join());
    });
  }

  private static void awaitWaiting(List<Thread> threads, int count) {
    while (threads.size() < count || threads.get(count - 1).getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  /// Waits until the workers are idle, or have ended because they were idle.
  private static void awaitIdle(List<Thread> threads) {
    for (Thread each : threads) {
      while (each.isAlive() && each.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException e) {
        // a read of the system cannot be interrupted
      }
    }
  }

  /// A stream that accepts bytes only when the test permits.
  private static final class Slow extends OutputStream {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @Override
    public void write(int b) {
      throw new AssertionError("one by one");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      awaitUninterruptibly(gate);
      shown.write(bytes, offset, length);
    }

    @Override
    public void close() {
      closed.complete(shown.toString(StandardCharsets.US_ASCII));
    }
  }

  @OnEveryBackend
  void close_inACancelledTask_stillClosesWhatIsBeneath(IoRig rig) throws Exception {
    rig.run(world -> {
      var slow = new Slow();
      var out = new BlockingOutput(world.scheduler(), "test", slow);
      Task<Void> writer = world.spawn("writer", () -> out.write(new byte[] {'a'}));
      world.settle();
      Task<Void> closer = world.spawn("closer", out::close);
      world.settle();
      closer.cancel("enough");
      assertThrows(CancellationException.class, closer::join);
      out.abandon(); // again, while the write is under way
      slow.gate.countDown();
      assertThrows(ExecutionOf.class, () -> ExecutionOf.join(writer));
      assertEquals("a", world.scheduler().await(world.scheduler().completion(slow.closed)));
    });
  }

  /// The task that closed the stream has gone on, so the scheduler's failure handler receives the
  /// failure.
  @OnEveryBackend
  void abandon_whatIsBeneathFailsToClose_isReported(IoRig rig) throws Exception {
    rig.run(world -> {
      var gate = new CountDownLatch(1);
      var failures = List.of(new IOException("disk full"), new IllegalStateException("defect"));
      for (Exception failure : failures) {
        var out =
            new BlockingOutput(
                world.scheduler(),
                "test",
                new OutputStream() {
                  @Override
                  public void write(int b) {
                    awaitUninterruptibly(gate);
                  }

                  @Override
                  public void close() {
                    throw Throwables.<RuntimeException>rethrow(failure);
                  }
                });
        Task<Throwable> writer =
            world.failing(() -> {
              out.write(1);
              return null;
            });
        world.settle();
        out.abandon();
        assertInstanceOf(ChannelClosedException.class, writer.join());
      }
      gate.countDown();
      while (world.failures().size() < 2) {
        world.scheduler().blocking(() -> null);
      }
      assertEquals(Set.copyOf(failures), Set.copyOf(world.failures()));
      world.failures().clear();
    });
  }

  @OnEveryBackend
  void write_closedBeforeItBegan_isToldThatItIsClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      var slow = new Slow();
      var out = new BlockingOutput(world.scheduler(), "test", slow);
      Task<Void> first = world.spawn("first", () -> out.write(new byte[] {'a'}));
      Task<Throwable> second =
          world.failing(() -> {
            out.write(new byte[100_000]); // more than one piece
            return null;
          });
      world.settle();
      Task<Void> closer = world.spawn("closer", out::close);
      world.settle();
      closer.cancel("enough");
      assertThrows(CancellationException.class, closer::join);
      slow.gate.countDown();
      first.join(); // it had begun
      assertInstanceOf(ChannelClosedException.class, second.join());
    });
  }

  /// The opposite of the next test.
  @OnEveryBackend
  @DisabledOnOs(OS.WINDOWS)
  void closeOfAProcess_pipesHeldByItsChild_tellsWhoWaitsAtThem(IoRig rig) throws Exception {
    rig.run(world -> {
      var processes = WaitForProcess.on(world.scheduler());
      var child =
          processes.start(new ProcessBuilder("sh", "-c", "exec 3<&0; sleep 300 & echo $!; wait"));
      var pid = new StringBuilder();
      for (int c = child.output().read(); c != '\n'; c = child.output().read()) {
        pid.append((char) c);
      }
      ProcessHandle grandchild = ProcessHandle.of(Long.parseLong(pid.toString())).orElseThrow();
      Task<Throwable> reader = world.failing(child.output()::read);
      Task<Throwable> writer =
          world.failing(() -> {
            child.input().write(new byte[1 << 20]);
            return null;
          });
      for (int i = 0; i < 50; i++) {
        world.scheduler().blocking(() -> null); // until they are stuck
      }
      child.close();
      assertInstanceOf(ChannelClosedException.class, reader.join());
      assertInstanceOf(ChannelClosedException.class, writer.join());
      assertThrows(ChannelClosedException.class, () -> child.input().write(1));
      assertTrue(grandchild.isAlive(), "closing has waited for it");
      grandchild.destroyForcibly();
    });
  }

  /// The pipe is full. It stays open after the process has ended, because the child of the process
  /// holds it for longer than a test may take.
  @OnEveryBackend
  @DisabledOnOs(OS.WINDOWS)
  void closeOfAProcess_writeHeldUpByItsChild_doesNotHoldTheLoop(IoRig rig) throws Exception {
    rig.run(world -> {
      var processes = WaitForProcess.on(world.scheduler());
      ProcessHandle grandchild;
      try (ChildProcess child =
          processes.start(new ProcessBuilder("sh", "-c", "exec 3<&0; sleep 300 & echo $!; wait"))) {
        var pid = new StringBuilder();
        for (int c = child.output().read(); c != '\n'; c = child.output().read()) {
          pid.append((char) c);
        }
        grandchild = ProcessHandle.of(Long.parseLong(pid.toString())).orElseThrow();
        Task<Void> writer = world.spawn("writer", () -> child.input().write(new byte[1 << 20]));
        for (int i = 0; i < 50; i++) {
          world.scheduler().blocking(() -> null); // until it is stuck
        }
        writer.cancel("enough");
        assertThrows(CancellationException.class, writer::join);
      }
      assertTrue(grandchild.isAlive(), "closing has waited for it");
      grandchild.destroyForcibly();
    });
  }

  /// Bytes that the process has not read stay in this side's buffer, and cannot be sent when the
  /// pipe is closed.
  @OnEveryBackend
  @DisabledOnOs(OS.WINDOWS)
  void closeOfAProcess_thatHasNotReadAll_isNoFailure(IoRig rig) throws Exception {
    rig.run(world -> {
      var processes = WaitForProcess.on(world.scheduler());
      var child = processes.start(new ProcessBuilder("sh", "-c", "echo; exec sleep 300"));
      assertEquals('\n', child.output().read());
      Task<Throwable> writer =
          world.failing(() -> {
            while (true) {
              child.input().write(new byte[1000]);
            }
          });
      for (int i = 0; i < 500; i++) {
        world.scheduler().blocking(() -> null); // until it is stuck
      }
      Thread thread =
          Thread.getAllStackTraces().keySet().stream()
              .filter(it -> it.getName().equals("rondo-input of sh (pid " + child.pid() + ")"))
              .findAny()
              .orElseThrow();
      child.close();
      assertInstanceOf(IOException.class, writer.join()); // closed, or broken by the kill
      world
          .scheduler()
          .blocking(() -> {
            thread.join();
            return null;
          });
      assertEquals(List.of(), world.failures());
    });
  }

  @OnEveryBackend
  void read_scheduledDirectly_failsAndTheNextReadReceives(IoRig rig) throws Exception {
    rig.run(world -> {
      var typed = new PipedOutputStream();
      try (InputStream in =
          new BlockingInput(world.scheduler(), "test", new PipedInputStream(typed))) {
        Task<Integer> reader =
            world
                .scheduler()
                .spawn(() -> {
                  assertThrows(ScheduledDirectlyException.class, in::read);
                  return in.read();
                });
        world.settle();
        assertTrue(world.scheduler().scheduleTask(reader));
        world.settle();
        typed.write('a');
        typed.flush();
        assertEquals('a', reader.join());
      }
    });
  }

  @OnEveryBackend
  void read_lessThanHasCome_theRestIsReadNext(IoRig rig) throws Exception {
    rig.run(world -> {
      var typed = new PipedOutputStream();
      try (InputStream in =
          new BlockingInput(world.scheduler(), "test", new PipedInputStream(typed))) {
        typed.write("abcde".getBytes(StandardCharsets.US_ASCII));
        typed.flush();
        assertEquals("ab", new String(in.readNBytes(2), StandardCharsets.US_ASCII));
        assertEquals(3, in.available());
        assertEquals("cde", new String(in.readNBytes(3), StandardCharsets.US_ASCII));
        typed.close();
        assertEquals(-1, in.read(new byte[1]));
      }
    });
  }
}
