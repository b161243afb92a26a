package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.file.DirectoryChange;
import dev.rondo.io.file.DirectoryVanishedException;
import dev.rondo.io.file.DirectoryWatch;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Watching directories. Where the JDK polls, this would take seconds.
@EnabledOnOs(OS.LINUX)
class DirectoryWatchTest {

  @TempDir Path parent;

  private Path folder() throws IOException {
    return Files.createTempDirectory(parent, "watched");
  }

  @OnEveryBackend
  void await_changes_areTold(IoRig rig) throws Exception {
    rig.run(world -> {
      var files = WaitForFile.on(world.scheduler());
      Path folder = folder();
      Path file = folder.resolve("file");
      try (DirectoryWatch watch = files.watch(folder)) {
        assertEquals(1, files.openCount());
        Task<List<DirectoryChange>> waiting = world.scheduler().spawn(watch::await);
        world.settle();
        Files.createFile(file);
        assertEquals(List.of(new DirectoryChange.Created(file)), waiting.join());
        Files.writeString(file, "x");
        assertInstanceOf(DirectoryChange.Modified.class, watch.await().getFirst());
        Files.delete(file);
        while (!watch.await().contains(new DirectoryChange.Deleted(file))) {}
      }
      assertEquals(0, files.openCount());
    });
  }

  @OnEveryBackend
  void await_cancelled_losesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      Path folder = folder();
      try (DirectoryWatch watch = WaitForFile.on(world.scheduler()).watch(folder)) {
        Task<List<DirectoryChange>> waiting = world.scheduler().spawn(watch::await);
        world.settle();
        waiting.cancel("enough");
        assertThrows(CancellationException.class, waiting::join);
        Files.createFile(folder.resolve("file"));
        assertEquals(List.of(new DirectoryChange.Created(folder.resolve("file"))), watch.await());
      }
    });
  }

  @OnEveryBackend
  void await_folderVanishes_isTyped(IoRig rig) throws Exception {
    rig.run(world -> {
      Path folder = folder();
      try (DirectoryWatch watch = WaitForFile.on(world.scheduler()).watch(folder)) {
        Task<Throwable> waiting = world.failing(watch::await);
        world.settle();
        Files.delete(folder);
        var e = assertInstanceOf(DirectoryVanishedException.class, waiting.join());
        assertTrue(e.getMessage().contains(folder.toString()), e::getMessage);
        assertThrows(DirectoryVanishedException.class, watch::await);
      }
    });
  }

  @OnEveryBackend
  void await_moreThanIsKept_isAnOverflow(IoRig rig) throws Exception {
    rig.run(world -> {
      Path folder = folder();
      try (DirectoryWatch watch = WaitForFile.on(world.scheduler()).watch(folder)) {
        for (int i = 0; i < 3000; i++) {
          Files.createFile(folder.resolve("f" + i));
        }
        boolean overflow = false;
        int created = 0;
        while (!overflow && created < 3000) {
          List<DirectoryChange> changes = watch.await();
          overflow = changes.contains(new DirectoryChange.Overflow(folder));
          created += changes.size();
        }
        // Either all changes are reported, or an overflow: none is lost silently.
        assertTrue(overflow || created >= 3000);
      }
    });
  }

  @OnEveryBackend
  void close_underAWaiter_tellsIt(IoRig rig) throws Exception {
    rig.run(world -> {
      DirectoryWatch watch = WaitForFile.on(world.scheduler()).watch(folder());
      Task<Throwable> waiting = world.failing(watch::await);
      world.settle();
      watch.close();
      watch.close();
      assertInstanceOf(ChannelClosedException.class, waiting.join());
      assertThrows(ChannelClosedException.class, watch::await);
    });
  }

  @OnEveryBackend
  void watch_notADirectory_isTyped(IoRig rig) throws Exception {
    rig.run(world -> {
      var files = WaitForFile.on(world.scheduler());
      Path folder = folder();
      Path gone = folder.resolve("gone");
      var e = assertThrows(NoSuchFileException.class, () -> files.watch(gone));
      assertEquals(gone + ": watch: there is no such file", e.getMessage());
      Path file = Files.createFile(folder.resolve("file"));
      assertThrows(NotDirectoryException.class, () -> files.watch(file));
    });
  }

  @OnEveryBackend
  void await_limitIsOver_theMessageHasTheDirectory(IoRig rig) throws Exception {
    rig.run(world -> {
      Path folder = folder();
      try (DirectoryWatch watch = WaitForFile.on(world.scheduler()).watch(folder)) {
        Task<Throwable> waiting =
            world.failing(() -> world.scheduler().await(watch.changing(), Duration.ofSeconds(1)));
        world.settle();
        world.timer().fire();
        assertEquals("gave up after 1 s: watch of " + folder, waiting.join().getMessage());
      }
    });
  }
}
