package dev.rondo.io;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.rondo.io.IoRig.World;
import dev.rondo.io.file.FileInput;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;

/// Files and directories.
class FilesTest {

  @TempDir Path folder;

  @FunctionalInterface
  private interface Scenario {
    void run(World world, WaitForFile files) throws Exception;
  }

  private void with(IoRig rig, Scenario scenario) throws Exception {
    rig.run(world -> {
      var files = WaitForFile.on(world.scheduler());
      assertEquals(files, WaitForFile.on(world.scheduler()));
      scenario.run(world, files);
      assertEquals(0, files.openCount(), "open files");
    });
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String text(WaitForFile files, Path path) throws IOException {
    return new String(files.readAll(path), StandardCharsets.US_ASCII);
  }

  @OnEveryBackend
  void openFile_readsAndWritesAtPositions(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path path = folder.resolve("file");
          try (OpenFile file = files.open(path, CREATE_NEW, READ, WRITE)) {
            assertEquals(5, file.write(bytes("hello")));
            assertEquals(1, file.write(bytes("J"), 0));
            assertEquals(5, file.position());
            assertEquals(1, file.write(bytes("!"), 7));
            assertEquals(8, file.size());
            var all = ByteBuffer.allocate(10);
            assertEquals(8, file.read(all, 0));
            assertEquals("Jello\0\0!", new String(all.array(), 0, 8, StandardCharsets.US_ASCII));
            assertEquals(-1, file.read(ByteBuffer.allocate(1), 100));
            file.position(4);
            var one = ByteBuffer.allocate(1);
            assertEquals(1, file.read(one));
            assertEquals('o', one.get(0));
            file.truncate(4);
            assertEquals(-1, file.read(ByteBuffer.allocate(1)));
            file.sync();
            file.syncData();
            assertEquals(1, files.openCount());
          }
          assertEquals("Jell", text(files, path));
          try (OpenFile file = files.open(path, APPEND)) {
            file.write(bytes("y"));
          }
          assertEquals("Jelly", text(files, path));
          files.writeAll(path, new byte[] {'x'});
          assertEquals("x", text(files, path));
        });
  }

  @OnEveryBackend
  void run_anOperationOfTheProgram_isOneOfTheAddOn(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path path = Files.writeString(folder.resolve("file"), "hello");
          Thread loop = Thread.currentThread();
          var thread = new Thread[1];
          long size =
              files.run(
                  "look at",
                  path,
                  () -> {
                    thread[0] = Thread.currentThread();
                    return Files.exists(path) ? Files.size(path) : -1;
                  });
          assertEquals(5, size);
          assertNotEquals(loop, thread[0]);
          Path none = folder.resolve("none");
          var failure =
              assertThrows(
                  NoSuchFileException.class,
                  () -> files.run("look at", none, () -> Files.size(none)));
          assertTrue(failure.getMessage().contains("look at"), failure.getMessage());
        });
  }

  @OnEveryBackend
  void operations_doNotKeepOthersFromTheirTurns(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          var turns = new ArrayList<Integer>();
          Task<Void> other =
              world.spawn(
                  "other",
                  () -> {
                    for (int i = 0; i < 3; i++) {
                      turns.add(i);
                      world.scheduler().yield();
                    }
                  });
          files.attributes(folder);
          assertFalse(turns.isEmpty());
          other.join();
        });
  }

  @OnEveryBackend
  void names_copyMoveLinkDelete(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path a = folder.resolve("a");
          Path b = folder.resolve("b");
          Path c = folder.resolve("c");
          files.writeAll(a, new byte[] {'1'});
          files.copy(a, b);
          assertThrows(FileAlreadyExistsException.class, () -> files.copy(a, b));
          files.move(b, c);
          assertThrows(NoSuchFileException.class, () -> files.attributes(b));
          files.copy(c, a, StandardCopyOption.REPLACE_EXISTING);
          files.run("link", b, () -> Files.createLink(b, c));
          files.writeAll(c, new byte[] {'2'});
          assertEquals("2", text(files, b));
          files.delete(b);
          files.run("link", b, () -> Files.createSymbolicLink(b, Path.of("c")));
          assertEquals("2", text(files, b));
          assertTrue(files.attributes(b, java.nio.file.LinkOption.NOFOLLOW_LINKS).isSymbolicLink());
          for (Path each : new Path[] {a, b, c}) {
            files.delete(each);
          }
          var e = assertThrows(NoSuchFileException.class, () -> files.delete(a));
          assertEquals(a + ": delete: there is no such file", e.getMessage());
        });
  }

  @OnEveryBackend
  void folders_areListedBitByBit(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path deep = folder.resolve("x/y/z");
          files.createDirectories(deep);
          files.createDirectories(deep);
          var made = new HashSet<Path>();
          for (int i = 0; i < 300; i++) {
            made.add(Files.createFile(deep.resolve("f" + i)));
          }
          made.add(files.run("in", deep, () -> Files.createTempDirectory(deep, "tmp")));
          assertEquals(301, made.size());
          var listed = new HashSet<Path>();
          try (var listing = files.list(deep)) {
            for (Path each; (each = listing.next()) != null; ) {
              assertTrue(listed.add(each));
            }
            assertEquals(null, listing.next());
          }
          assertEquals(made, listed);
          var left = files.list(deep);
          assertEquals(1, files.openCount());
          left.close();
          left.close();
          assertEquals(0, files.openCount());
          assertThrows(ChannelClosedException.class, left::next);
          assertThrows(DirectoryNotEmptyException.class, () -> files.delete(deep));
          Path file = made.iterator().next();
          if (Files.isRegularFile(file)) {
            assertThrows(NotDirectoryException.class, () -> files.list(file));
          }
          assertThrows(NoSuchFileException.class, () -> files.list(folder.resolve("gone")));
          for (Path each : made) {
            files.delete(each);
          }
          files.delete(deep);
        });
  }

  @OnEveryBackend
  void run_timeAndPermissions_areThoseOfAttributes(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path path = folder.resolve("touched");
          var time = FileTime.fromMillis(1_000_000_000_000L);
          files.writeAll(path, new byte[10]);
          assertNotEquals(time, files.attributes(path).lastModifiedTime());
          files.run("touch", path, () -> Files.setLastModifiedTime(path, time));
          var attributes = files.attributes(path);
          assertEquals(time, attributes.lastModifiedTime());
          assertEquals(10, attributes.size());
          var permissions = PosixFilePermissions.fromString("r--r-----");
          files.run("protect", path, () -> Files.setPosixFilePermissions(path, permissions));
          assertEquals(
              permissions,
              files.run("permissions of", path, () -> Files.getPosixFilePermissions(path)));
          files.delete(path);
        });
  }

  @OnEveryBackend
  void failures_sayWhichOperationOnWhichFile(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path gone = folder.resolve("gone");
          var e = assertThrows(NoSuchFileException.class, () -> files.open(gone));
          assertEquals(gone + ": open: there is no such file", e.getMessage());
          assertThrows(NoSuchFileException.class, () -> files.readAll(gone));
          assertThrows(NoSuchFileException.class, () -> files.attributes(gone));
          assertThrows(NullPointerException.class, () -> files.readAll(null));
          assertThrows(IllegalArgumentException.class, () -> files.open(gone, READ, APPEND));
          OpenFile file = files.open(gone, CREATE, WRITE);
          for (org.junit.jupiter.api.function.Executable negative :
              new org.junit.jupiter.api.function.Executable[] {
                () -> file.read(bytes("x"), -1),
                () -> file.write(bytes("x"), -1),
                () -> file.position(-1),
                () -> file.truncate(-1)
              }) {
            var bad = assertThrows(IllegalArgumentException.class, negative);
            assertTrue(bad.getMessage().contains("=-1, file=" + gone), bad::getMessage);
          }
          file.close();
          file.close();
          var closed = assertThrows(ChannelClosedException.class, () -> file.write(bytes("x")));
          assertTrue(closed.getMessage().contains(gone.toString()), closed::getMessage);
          files.delete(gone);
        });
  }

  /// Root has every permission, so the test opens a kernel parameter that nobody can write.
  @OnEveryBackend
  void open_withoutPermission_isTyped(IoRig rig) throws Exception {
    boolean root = System.getProperty("user.name").equals("root");
    Path path = root ? Path.of("/proc/sys/kernel/ostype") : folder.resolve("secret");
    assumeTrue(!root || Files.exists(path), "root, and no Linux");
    with(
        rig,
        (world, files) -> {
          if (!root) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(Set.of()));
          }
          var e = assertThrows(AccessDeniedException.class, () -> files.open(path, WRITE));
          assertEquals(path + ": open: no permission", e.getMessage());
        });
  }

  @OnEveryBackend
  void operation_underWay_isNamedInADump(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          var done = new CompletableFuture<Void>();
          Task<Void> task =
              world.scheduler().spawn("worker", () -> files.<Void>run("parse", folder, done::join));
          world.scheduler().yield();
          world.scheduler().yield();
          String waits = world.scheduler().tasks().toString();
          done.complete(null);
          task.join();
          assertTrue(waits.contains("'parse " + folder + "' of workers"), waits);
        });
  }

  @OnEveryBackend
  void failures_keepTheirTypes(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path full = folder.resolve("full");
          Path file = full.resolve("file");
          files.createDirectories(full);
          files.writeAll(file, new byte[0]);
          var notEmpty = assertThrows(DirectoryNotEmptyException.class, () -> files.delete(full));
          assertEquals(full + ": delete: the directory is not empty", notEmpty.getMessage());
          var noFolder = assertThrows(NotDirectoryException.class, () -> files.list(file));
          assertEquals(file + ": list: it is not a directory", noFolder.getMessage());
          var noLink =
              assertThrows(
                  NotLinkException.class,
                  () -> files.run("read link", file, () -> Files.readSymbolicLink(file)));
          assertEquals(file + ": read link: it is not a symbolic link", noLink.getMessage());
          var noMove = new AtomicMoveNotSupportedException("a", "b", "other device");
          assertEquals("a -> b: op: other device", failureOfRun(files, noMove).getMessage());
          var loop = new FileSystemLoopException("a");
          assertEquals("a: op: its links form a loop", failureOfRun(files, loop).getMessage());
          var own = new EOFException("no head");
          assertSame(own, failureOfRun(files, own));
          assertEquals("happened in: op " + folder, own.getSuppressed()[0].getMessage());
        });
  }

  private IOException failureOfRun(WaitForFile files, IOException failure) {
    return assertThrows(
        failure.getClass(),
        () ->
            files.run(
                "op",
                folder,
                () -> {
                  throw failure;
                }));
  }

  @OnEveryBackend
  void openFile_usedForWhatItWasNotOpenedFor_saysSo(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path path = folder.resolve("file");
          files.writeAll(path, new byte[1]);
          try (OpenFile file = files.open(path)) {
            var e =
                assertThrows(NonWritableChannelException.class, () -> file.write(bytes("x"), 0));
            assertTrue(e.getMessage().startsWith("write to " + path + ": it was not opened for w"));
          }
          try (OpenFile file = files.open(path, WRITE)) {
            var e = assertThrows(NonReadableChannelException.class, () -> file.read(bytes("x")));
            assertTrue(
                e.getMessage().startsWith("read from " + path + ": it was not opened for r"));
          }
        });
  }

  /// If the worker were interrupted, its file would be closed.
  @OnEveryBackend
  void write_cancelled_leavesTheFileOpen(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path path = folder.resolve("cancelled");
          try (OpenFile file = files.open(path, CREATE, READ, WRITE)) {
            var big = ByteBuffer.allocate(8_000_000);
            Task<Void> writer =
                world.spawn(
                    "writer",
                    () -> {
                      while (true) {
                        file.write(big.clear(), 0);
                      }
                    });
            world.settle();
            writer.cancel("enough");
            assertThrows(CancellationException.class, writer::join);
            assertTrue(file.isOpen());
            file.write(bytes("fine"), 0);
            var got = ByteBuffer.allocate(4);
            file.read(got, 0);
            assertEquals(bytes("fine"), got.flip());
          }
          files.delete(path);
        });
  }

  @OnEveryBackend
  void close_inACancelledTask_closes(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          Path path = folder.resolve("left");
          Task<Void> task =
              world.spawn(
                  "task",
                  () -> {
                    try (OpenFile file = files.open(path, CREATE, WRITE)) {
                      file.write(bytes("x"));
                      world.scheduler().suspend();
                    }
                  });
          while (task.taskState() != dev.rondo.scheduler.TaskState.SUSPENDED
              || files.openCount() == 0) {
            world.scheduler().yield();
          }
          world.settle();
          task.cancel("enough");
          assertThrows(CancellationException.class, task::join);
          assertEquals(0, files.openCount());
          files.delete(path);
        });
  }

  /// Random operations beside a model of the file.
  @OnEveryBackend
  void randomOperations_agreeWithAModel(IoRig rig) throws Exception {
    with(
        rig,
        (world, files) -> {
          var random = new Random(11);
          Path path = folder.resolve("model");
          var model = new TreeMap<Integer, Byte>();
          int size = 0;
          try (OpenFile file = files.open(path, CREATE, READ, WRITE)) {
            for (int i = 0; i < 300; i++) {
              int at = random.nextInt(2000);
              var data = new byte[random.nextInt(100)];
              random.nextBytes(data);
              switch (random.nextInt(3)) {
                case 0 -> {
                  file.write(ByteBuffer.wrap(data), at);
                  for (int k = 0; k < data.length; k++) {
                    model.put(at + k, data[k]);
                  }
                  size = data.length == 0 ? size : Math.max(size, at + data.length);
                }
                case 1 -> {
                  file.truncate(at);
                  size = Math.min(size, at);
                  model.tailMap(at).clear();
                }
                default -> {
                  var got = ByteBuffer.allocate(100);
                  int n = file.read(got, at);
                  assertEquals(at >= size ? -1 : Math.min(100, size - at), n, "step " + i);
                  for (int k = 0; k < n; k++) {
                    assertEquals(model.getOrDefault(at + k, (byte) 0), got.get(k), "step " + i);
                  }
                }
              }
            }
            assertEquals(size, file.size());
          }
          files.delete(path);
        });
  }

  // As a stream.

  @OnEveryBackend
  void input_readLine_isThatOfABufferedReader(IoRig rig) throws Exception {
    String text = "one\r\n\ntw\u00f6\n" + "x".repeat(100_000) + "\nlast";
    with(
        rig,
        (world, files) -> {
          Path path = folder.resolve("lines");
          files.writeAll(path, text.getBytes(StandardCharsets.UTF_8));
          FileInput left;
          try (OpenFile file = files.open(path);
              var other = file.input()) {
            var lines = new ArrayList<String>();
            var input = file.input();
            for (String line; (line = input.readLine(100_000)) != null; ) {
              lines.add(line);
            }
            assertEquals(text.lines().toList(), lines);
            assertEquals("one", other.readLine(4), "it has a position of its own");
            assertEquals(0, file.position());
            assertThrows(DelimiterNotFoundException.class, () -> file.input().readLine(2));
            left = input;
          }
          assertThrows(ChannelClosedException.class, () -> left.readLine(3));
        });
  }

  /// The checks of debug mode refuse a stream that holds a lock while it waits.
  @OnEveryBackend
  void input_libraryReadsItInDebugMode_itGetsAllBytes(IoRig rig) throws Exception {
    var content = new byte[300_000];
    new Random(1).nextBytes(content);
    var packed = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(packed)) {
      zip.write(content);
    }
    Path path = Files.write(folder.resolve("packed"), packed.toByteArray());
    rig.runInDebugMode(world -> {
      var files = WaitForFile.on(world.scheduler());
      try (var zip = new GZIPInputStream(files.open(path).input())) {
        assertArrayEquals(content, zip.readAllBytes());
      }
      assertEquals(0, files.openCount(), "open files");
    });
  }

  @OnEveryBackend
  void scheduler_closesAndSomeFilesFailToClose_closesTheOthers(IoRig rig) throws Exception {
    var broken = new IOException("broken");
    DirectoryStream<Path> stream = mock();
    when(stream.iterator()).thenReturn(Collections.emptyIterator());
    doThrow(broken).when(stream).close();
    FileSystemProvider provider = mock();
    when(provider.newDirectoryStream(any(), any())).thenReturn(stream);
    FileSystem system = mock();
    when(system.provider()).thenReturn(provider);
    Path directory = mock();
    when(directory.getFileSystem()).thenReturn(system);
    Path path = Files.createFile(folder.resolve("file"));
    var failures = new ArrayList<Throwable>();
    var left = new ArrayList<OpenFile>();
    try (Scheduler scheduler = rig.newScheduler(failures)) {
      scheduler.spawn(() -> {
        var files = WaitForFile.on(scheduler);
        for (int i = 0; i < 10; i++) {
          var _ = files.list(directory);
          left.add(files.open(path));
        }
      });
      scheduler.start();
    }
    for (OpenFile each : left) {
      assertFalse(each.isOpen());
    }
    assertEquals(10, left.size());
    assertEquals(1, failures.size());
  }
}
