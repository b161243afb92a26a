package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file system of a size of its own, in memory, that can be full.
final class SmallDisk implements AutoCloseable {

  private static final int LARGE = 1 << 20;
  private static final int SMALL = 1 << 10;

  private final Path folder;

  /// Makes one. The test is skipped where that is not possible.
  SmallDisk(Path folder, int megabytes) throws Exception {
    this.folder = Files.createDirectory(folder);
    String size = "size=" + megabytes + "m";
    assumeTrue(
        VotersRig.run("mount", "-t", "tmpfs", "-o", size, "tmpfs", folder.toString()) == 0,
        "this test needs Linux and its root");
  }

  Path folder() {
    return folder;
  }

  /// Takes all space that is left.
  void fill() throws IOException {
    fill("large", LARGE);
    fill("small", SMALL);
  }

  private void fill(String name, int bytes) throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      while (true) {
        out.write(new byte[bytes]);
      }
    } catch (IOException e) {
      if (!("" + e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }

  /// Gives it back.
  void free() throws IOException {
    Files.delete(folder.resolve("large"));
    Files.delete(folder.resolve("small"));
  }

  /// Processes may still have open files there.
  @Override
  public void close() throws IOException {
    try {
      assertEquals(0, VotersRig.run("umount", "-l", folder.toString()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("umount of " + folder);
    }
  }
}
