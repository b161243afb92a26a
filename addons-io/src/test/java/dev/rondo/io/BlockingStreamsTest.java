package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.scheduler.Task;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Streams that block, shared by tasks.
class BlockingStreamsTest {

  /// Both would be given the same bytes.
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

  /// The pipe is full, and stays open after the process's end because its child has it too, for
  /// longer than a test may take.
  @OnEveryBackend
  @DisabledOnOs(OS.WINDOWS)
  void closeOfAProcess_writeHeldUpByItsChild_doesNotHoldTheLoop(IoRig rig) throws Exception {
    rig.run(world -> {
      var processes = WaitForProcess.on(world.scheduler());
      ProcessHandle grandchild;
      try (ChildProcess child =
          processes.start("sh", "-c", "exec 3<&0; sleep 300 & echo $!; wait")) {
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
}
