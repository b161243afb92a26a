package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a closed loop leaves in the kernel.
final class IoUringEndTest extends BackendTest {

  private static final int LOOPS = 10;
  private static final int SLEEPS = 3;

  /// The kernel's threads that do what a thread has asked for and what would block. They find a
  /// file by its number when they begin, which may be another loop's by then.
  private static List<String> kernelThreads(long threadId) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      return threads.map(IoUringEndTest::name).filter(("iou-wrk-" + threadId)::equals).toList();
    }
  }

  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).strip();
    } catch (IOException e) {
      return ""; // it has ended
    }
  }

  private List<String> kernelThreadsAfterLoops() throws IOException {
    for (int i = 0; i < LOOPS; i++) {
      sleepALittle();
    }
    Path self = Path.of("/proc/thread-self").toRealPath();
    return kernelThreads(Long.parseLong(self.getFileName().toString()));
  }

  private void sleepALittle() {
    try (Scheduler scheduler = builder().build()) {
      var _ = WaitForTime.on(scheduler);
      WaitForNetty netty = WaitForNetty.on(scheduler, NettyTransport.IO_URING);
      runOn(
          scheduler,
          () -> {
            for (int i = 0; i < SLEEPS; i++) {
              netty.await(netty.group().next().schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
            }
            return null;
          });
    }
  }

  @Test
  void close_ofALoopThatHasSlept_leavesNoReadToAKernelThread() throws Exception {
    assumeTrue(NettyTransport.IO_URING.whyNot() == null, "IO_URING is not tested");
    var loop = new FutureTask<>(this::kernelThreadsAfterLoops);
    Thread.ofPlatform().start(loop); // the kernel's threads are those of one of ours
    assertEquals(List.of(), loop.get());
    assertEquals(List.of(), takeReported());
  }
}
