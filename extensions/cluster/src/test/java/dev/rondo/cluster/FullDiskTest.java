package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A voter whose log cannot be written leaves, and the others go on; when there is space it comes
/// back, and its log is whole.
@Nightly("processes that are killed, in real time")
final class FullDiskTest extends ValuesRig {

  private static final String VICTIM = "b";
  private static final int BLOCK_BYTES = 4_096;

  /// Null if none is mounted.
  private Path mounted;

  private interface Disk {
    void change() throws Exception;
  }

  @Override
  @AfterEach
  void endAll() throws InterruptedException {
    super.endAll();
    try {
      if (mounted != null) {
        run("umount", mounted.toString());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void runFull(Disk fills, Disk empties) throws Exception {
    fills.change();
    var _ = await("failed node '" + VICTIM + "' has left: its log in ");
    followOperationsOf(List.of("a", "c"));
    empties.change();
    node(VICTIM).tell("join");
    var _ = await("joined");
    use(List.of(VICTIM));
    followOperationsOf(List.of("a", VICTIM, "c"));
  }

  /// Its log counts now: with one other it is a majority.
  private void requireWhole() throws Exception {
    kill(List.of("a", VICTIM, "c"));
    restart(List.of(VICTIM, "c"));
    restart(List.of("a"));
    requireRight();
  }

  /// By a file system that is full, where the test may mount one; and by what each user may do: the
  /// process can make no file longer than its log is.
  @Test
  @Timeout(10 * HANG_SECONDS)
  void aVoterWhoseLogCannotBeWritten_leaves_andComesBack() throws Exception {
    boolean mounts = mounted();
    Path disk = folder.resolve(VICTIM);
    startAndUse("a", VICTIM, "c");
    if (mounts) {
      Path filler = disk.resolve("filler");
      runFull(() -> fill(filler), () -> Files.delete(filler));
    }
    long size = Files.size(disk.resolve("entries.raft"));
    boolean limits = isLimited(Long.toString(size));
    if (limits) {
      runFull(() -> {}, () -> assertTrue(isLimited("unlimited")));
    }
    assumeTrue(mounts || limits, "a disk is filled by root, or by prlimit of util-linux");
    requireWhole();
  }

  private boolean mounted() throws Exception {
    Path disk = Files.createDirectory(folder.resolve(VICTIM));
    if (run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()) == 0) {
      mounted = disk;
    }
    return mounted != null;
  }

  private static void fill(Path file) {
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(new byte[BLOCK_BYTES]);
      }
    } catch (IOException e) {
      // No space is left.
    }
  }

  private boolean isLimited(String bytes) throws Exception {
    String pid = Long.toString(node(VICTIM).process().pid());
    return run("prlimit", "--pid", pid, "--fsize=" + bytes + ":") == 0;
  }
}
