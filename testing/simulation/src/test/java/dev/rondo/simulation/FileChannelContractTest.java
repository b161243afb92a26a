package dev.rondo.simulation;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Opening files, reading, writing, forcing and locking them.
final class FileChannelContractTest extends FileContract {

  // Opening.

  @Test
  void open_noSuchFile_fails() {
    NoSuchFileException failure = fails(NoSuchFileException.class, () -> open(path("none")));
    assertEquals(path("none").toString(), failure.getFile());
    fails(NoSuchFileException.class, () -> open(path("none"), WRITE));
    fails(NoSuchFileException.class, () -> open(path("none"), READ, CREATE));
  }

  @Test
  void open_noSuchDirectory_fails() {
    fails(NoSuchFileException.class, () -> open(path("none/file"), WRITE, CREATE));
  }

  @Test
  void open_belowAFile_fails() throws IOException {
    file("file", "");
    FileSystemException failure =
        fails(FileSystemException.class, () -> open(path("file/below"), WRITE, CREATE));
    assertEquals("Not a directory", failure.getReason());
  }

  @Test
  void open_create_createsOrOpens() throws IOException {
    open(path("file"), WRITE, CREATE).write(bytes("abc"));
    open(path("file"), WRITE, CREATE).write(bytes("x"));
    assertEquals("xbc", Files.readString(path("file")));
  }

  @Test
  void open_createNew_failsIfThere() throws IOException {
    open(path("file"), WRITE, CREATE_NEW);
    fails(FileAlreadyExistsException.class, () -> open(path("file"), WRITE, CREATE_NEW));
  }

  @Test
  void open_createNewOverADirectory_fails() {
    fails(FileAlreadyExistsException.class, () -> open(folder, WRITE, CREATE_NEW));
  }

  @Test
  void open_truncate_empties() throws IOException {
    open(file("file", "abc"), WRITE, TRUNCATE_EXISTING);
    assertEquals(0, Files.size(path("file")));
  }

  @Test
  void open_truncateForReading_changesNothing() throws IOException {
    open(file("file", "abc"), READ, TRUNCATE_EXISTING);
    assertEquals(3, Files.size(path("file")));
  }

  @Test
  void open_contradictingOptions_fails() throws IOException {
    file("file", "abc");
    fails(IllegalArgumentException.class, () -> open(path("file"), READ, APPEND));
    fails(IllegalArgumentException.class, () -> open(path("file"), APPEND, TRUNCATE_EXISTING));
  }

  @Test
  void open_sparse_isIgnored() throws IOException {
    open(path("file"), WRITE, CREATE_NEW, SPARSE).write(bytes("a"), 10_000);
    assertEquals(10_001, Files.size(path("file")));
  }

  @Test
  void open_deleteOnClose_deletes() throws IOException {
    try (FileChannel channel =
        FileChannel.open(path("file"), READ, WRITE, CREATE_NEW, DELETE_ON_CLOSE)) {
      channel.write(bytes("abc"));
      assertEquals("abc", read(channel, 0, 3));
    }
    assertTrue(Files.notExists(path("file")));
  }

  @Test
  void open_directoryForWriting_fails() {
    FileSystemException failure = fails(FileSystemException.class, () -> open(folder, WRITE));
    assertEquals("Is a directory", failure.getReason());
  }

  @Test
  void open_directoryForReading_canBeForcedNotRead() throws IOException {
    FileChannel directory = open(folder, READ);
    directory.force(true);
    IOException failure = fails(IOException.class, () -> directory.read(ByteBuffer.allocate(1)));
    assertEquals("Is a directory", failure.getMessage());
  }

  @Test
  void open_symbolicLink_opensTheTarget() throws IOException {
    file("file", "abc");
    Files.createSymbolicLink(path("link"), folder.getFileSystem().getPath("file"));
    assertEquals("abc", read(open(path("link")), 0, 3));
    fails(IOException.class, () -> open(path("link"), READ, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void open_danglingSymbolicLink_createsTheTarget() throws IOException {
    Files.createSymbolicLink(path("link"), folder.getFileSystem().getPath("file"));
    fails(NoSuchFileException.class, () -> open(path("link")));
    fails(FileAlreadyExistsException.class, () -> open(path("link"), WRITE, CREATE_NEW));
    open(path("link"), WRITE, CREATE).write(bytes("abc"));
    assertEquals("abc", Files.readString(path("file")));
  }

  @Test
  void open_cycleOfSymbolicLinks_fails() throws IOException {
    Files.createSymbolicLink(path("a"), folder.getFileSystem().getPath("b"));
    Files.createSymbolicLink(path("b"), folder.getFileSystem().getPath("a"));
    fails(FileSystemException.class, () -> open(path("a")));
  }

  @Test
  void open_synced_writes() throws IOException {
    open(path("file"), WRITE, CREATE, SYNC).write(bytes("ab"));
    open(path("file"), APPEND, DSYNC).write(bytes("c"));
    assertEquals("abc", Files.readString(path("file")));
  }

  // Reading and writing.

  @Test
  void read_movesThePosition_andEnds() throws IOException {
    FileChannel channel = open(file("file", "abc"));
    var two = ByteBuffer.allocate(2);
    assertEquals(2, channel.read(two));
    assertEquals("ab", text(two));
    assertEquals(2, channel.position());
    assertEquals(1, channel.read(two.clear()));
    assertEquals(-1, channel.read(two.clear()));
    assertEquals(3, channel.position());
  }

  @Test
  void read_intoAFullBuffer_isZero() throws IOException {
    FileChannel channel = open(file("file", "abc"));
    assertEquals(0, channel.read(ByteBuffer.allocate(0)));
    channel.position(3);
    assertEquals(0, channel.read(ByteBuffer.allocate(0)));
  }

  @Test
  void read_atAPosition_leavesThePosition() throws IOException {
    FileChannel channel = open(file("file", "abc"));
    assertEquals("bc", read(channel, 1, 5));
    assertEquals(0, channel.position());
    assertEquals(-1, channel.read(ByteBuffer.allocate(1), 3));
    assertEquals(-1, channel.read(ByteBuffer.allocate(1), 1_000));
  }

  @Test
  void read_scattering_fillsInOrder() throws IOException {
    FileChannel channel = open(file("file", "abcde"));
    var first = ByteBuffer.allocate(2);
    var second = ByteBuffer.allocate(9);
    assertEquals(5, channel.read(new ByteBuffer[] {first, second}));
    assertEquals("ab", text(first));
    assertEquals("cde", text(second));
    assertEquals(-1, channel.read(new ByteBuffer[] {first.clear(), second.clear()}));
  }

  @Test
  void write_gathering_writesInOrder() throws IOException {
    FileChannel channel = open(path("file"), WRITE, CREATE);
    assertEquals(5, channel.write(new ByteBuffer[] {bytes("ab"), bytes(""), bytes("cde")}));
    assertEquals(5, channel.position());
    assertEquals(1, channel.write(new ByteBuffer[] {bytes("x"), bytes("f"), bytes("y")}, 1, 1));
    assertEquals("abcdef", Files.readString(path("file")));
  }

  @Test
  void write_beyondTheEnd_fillsWithZeros() throws IOException {
    FileChannel channel = open(file("file", "a"), READ, WRITE);
    assertEquals(1, channel.write(bytes("b"), 3));
    assertEquals("a\0\0b", read(channel, 0, 9));
    channel.position(6);
    channel.write(bytes("c"));
    assertEquals(7, channel.size());
    assertEquals(7, channel.position());
  }

  @Test
  void write_ofAReadOnlyBuffer_movesItsPosition() throws IOException {
    ByteBuffer source = bytes("xabc").position(1).asReadOnlyBuffer();
    FileChannel channel = open(path("file"), WRITE, CREATE);
    assertEquals(3, channel.write(source));
    assertFalse(source.hasRemaining());
    assertEquals("abc", Files.readString(path("file")));
  }

  @Test
  void write_ofNothingBeyondTheEnd_changesNothing() throws IOException {
    FileChannel channel = open(file("file", "a"), WRITE);
    assertEquals(0, channel.write(bytes(""), 10));
    assertEquals(1, channel.size());
  }

  @Test
  void truncateAfterWriting_thenExtending_hasZeros() throws IOException {
    FileChannel channel = open(file("file", "abcdef"), READ, WRITE);
    channel.truncate(2);
    channel.write(bytes("x"), 5);
    assertEquals("ab\0\0\0x", read(channel, 0, 9));
  }

  @Test
  void append_goesToTheEnd() throws IOException {
    FileChannel channel = open(file("file", "abc"), APPEND);
    assertEquals(3, channel.position());
    open(path("file"), APPEND).write(bytes("d"));
    channel.write(bytes("e"));
    assertEquals(5, channel.position());
    channel.position(0);
    channel.write(bytes("f"));
    channel.write(bytes("g"), 1);
    assertEquals("abcdefg", Files.readString(path("file")));
  }

  @Test
  void readOnly_write_fails() throws IOException {
    FileChannel channel = open(file("file", "abc"), READ);
    fails(NonWritableChannelException.class, () -> channel.write(bytes("a")));
    fails(NonWritableChannelException.class, () -> channel.write(bytes("a"), 0));
    fails(NonWritableChannelException.class, () -> channel.truncate(0));
    fails(NonWritableChannelException.class, () -> channel.transferFrom(channel, 0, 1));
    channel.force(true);
  }

  @Test
  void writeOnly_read_fails() throws IOException {
    FileChannel channel = open(file("file", "abc"), WRITE);
    fails(NonReadableChannelException.class, () -> channel.read(ByteBuffer.allocate(1)));
    fails(NonReadableChannelException.class, () -> channel.read(ByteBuffer.allocate(1), 0));
    fails(NonReadableChannelException.class, () -> channel.transferTo(0, 1, channel));
  }

  @Test
  void negativeNumbers_fail() throws IOException {
    FileChannel channel = open(file("file", "abc"), READ, WRITE);
    fails(IllegalArgumentException.class, () -> channel.position(-1));
    fails(IllegalArgumentException.class, () -> channel.truncate(-1));
    fails(IllegalArgumentException.class, () -> channel.read(ByteBuffer.allocate(1), -1));
    fails(IllegalArgumentException.class, () -> channel.write(bytes("a"), -1));
    fails(IllegalArgumentException.class, () -> channel.transferTo(-1, 1, channel));
    fails(IllegalArgumentException.class, () -> channel.transferTo(0, -1, channel));
    fails(IndexOutOfBoundsException.class, () -> channel.write(new ByteBuffer[1], 1, 1));
  }

  @Test
  void closed_anyOperation_fails() throws IOException {
    FileChannel channel = open(file("file", "abc"), READ, WRITE);
    channel.close();
    channel.close();
    fails(ClosedChannelException.class, () -> channel.read(ByteBuffer.allocate(1)));
    fails(ClosedChannelException.class, () -> channel.write(bytes("a")));
    fails(ClosedChannelException.class, () -> channel.write(bytes("a"), 0));
    fails(ClosedChannelException.class, channel::position);
    fails(ClosedChannelException.class, () -> channel.position(0));
    fails(ClosedChannelException.class, channel::size);
    fails(ClosedChannelException.class, () -> channel.truncate(0));
    fails(ClosedChannelException.class, () -> channel.force(true));
    fails(ClosedChannelException.class, channel::tryLock);
    fails(ClosedChannelException.class, () -> channel.transferTo(0, 1, channel));
  }

  @Test
  void interrupted_operation_closesTheChannel() throws IOException {
    FileChannel channel = open(file("file", "abc"), READ, WRITE);
    Thread.currentThread().interrupt();
    try {
      fails(ClosedByInterruptException.class, () -> channel.read(ByteBuffer.allocate(1)));
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertFalse(channel.isOpen());
  }

  // Size.

  @Test
  void truncate_shorter_cutsOffAndMovesThePosition() throws IOException {
    FileChannel channel = open(file("file", "abcdef"), READ, WRITE);
    channel.position(5);
    assertEquals(channel, channel.truncate(2));
    assertEquals(2, channel.size());
    assertEquals(2, channel.position());
    assertEquals("ab", read(channel, 0, 9));
  }

  @Test
  void truncate_longer_movesOnlyThePosition() throws IOException {
    FileChannel channel = open(file("file", "abc"), WRITE);
    channel.position(100);
    channel.truncate(50);
    assertEquals(3, channel.size());
    assertEquals(50, channel.position());
  }

  @Test
  void position_beyondTheEnd_leavesTheSize() throws IOException {
    FileChannel channel = open(file("file", "abc"), READ, WRITE);
    assertEquals(channel, channel.position(100));
    assertEquals(3, channel.size());
    assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
    assertEquals(100, channel.position());
  }

  @Test
  void changes_areSeenByOtherChannels() throws IOException {
    FileChannel writer = open(path("file"), WRITE, CREATE);
    FileChannel reader = open(path("file"), READ);
    writer.write(bytes("abc"));
    assertEquals("abc", read(reader, 0, 9));
    writer.truncate(1);
    assertEquals(1, reader.size());
  }

  @Test
  void deletedFile_staysForThoseWhoHaveItOpen() throws IOException {
    FileChannel channel = open(file("file", "abc"), READ, WRITE);
    Files.delete(path("file"));
    channel.write(bytes("x"), 3);
    assertEquals("abcx", read(channel, 0, 9));
    channel.force(true);
    file("file", "new");
    assertEquals("abcx", read(channel, 0, 9));
  }

  @Test
  void renamedFile_staysOpen() throws IOException {
    FileChannel channel = open(file("file", "abc"), READ, WRITE);
    Files.move(path("file"), path("other"));
    channel.write(bytes("x"), 0);
    assertEquals("xbc", Files.readString(path("other")));
  }

  @Test
  void replacedFile_staysForThoseWhoHaveItOpen() throws IOException {
    FileChannel old = open(file("file", "old"), READ);
    Files.move(file("next", "new"), path("file"), StandardCopyOption.ATOMIC_MOVE);
    assertEquals("old", read(old, 0, 9));
    assertEquals("new", Files.readString(path("file")));
  }

  // Transfers.

  @Test
  void transferTo_anotherFile_copies() throws IOException {
    FileChannel from = open(file("from", "abcdef"));
    FileChannel to = open(path("to"), WRITE, CREATE);
    assertEquals(3, from.transferTo(1, 3, to));
    assertEquals(2, from.transferTo(4, 100, to));
    assertEquals(0, from.transferTo(100, 1, to));
    assertEquals(0, from.position());
    assertEquals("bcdef", Files.readString(path("to")));
  }

  @Test
  void transferFrom_anotherFile_copies() throws IOException {
    FileChannel from = open(file("from", "abcdef"));
    FileChannel to = open(file("to", "xyz"), WRITE);
    from.position(2);
    assertEquals(4, to.transferFrom(from, 1, 100));
    assertEquals(6, from.position());
    assertEquals(0, to.position());
    assertEquals("xcdef", Files.readString(path("to")));
  }

  /// The JDK's documentation says that nothing is transferred, but it does so.
  @Test
  void transferFrom_beyondTheEnd_fillsWithZeros() throws IOException {
    FileChannel from = open(file("from", "abcdef"));
    FileChannel to = open(file("to", "xyz"), WRITE);
    assertEquals(1, to.transferFrom(from, 5, 1));
    assertEquals("xyz\0\0a", Files.readString(path("to")));
  }

  @Test
  void transfers_closedChannel_fail() throws IOException {
    FileChannel from = open(file("from", "abcdef"));
    FileChannel to = open(file("to", "xyz"), WRITE);
    to.close();
    fails(ClosedChannelException.class, () -> from.transferTo(0, 1, to));
    FileChannel other = open(path("to"), WRITE);
    from.close();
    fails(ClosedChannelException.class, () -> other.transferFrom(from, 0, 1));
  }

  // Streams.

  @Test
  void streams_writeAndRead() throws IOException {
    try (OutputStream out = Files.newOutputStream(path("file"))) {
      out.write("abc".getBytes(StandardCharsets.UTF_8));
      out.write('d');
    }
    try (InputStream in = Files.newInputStream(path("file"))) {
      assertEquals('a', in.read());
      assertEquals(3, in.available());
      assertEquals(1, in.skip(1));
      assertEquals("cd", new String(in.readAllBytes(), StandardCharsets.UTF_8));
      assertEquals(-1, in.read());
    }
    fails(IllegalArgumentException.class, () -> Files.newOutputStream(path("file"), READ));
    fails(UnsupportedOperationException.class, () -> Files.newInputStream(path("file"), WRITE));
  }

  @Test
  void asynchronousChannel_writesAndReads() throws Exception {
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(path("file"), READ, WRITE, CREATE)) {
      assertEquals(3, channel.write(bytes("abc"), 0).get());
      var buffer = ByteBuffer.allocate(9);
      var read = new CompletableFuture<Integer>();
      channel.read(
          buffer,
          1,
          read,
          new CompletionHandler<>() {
            @Override
            public void completed(Integer count, CompletableFuture<Integer> result) {
              result.complete(count);
            }

            @Override
            public void failed(Throwable failure, CompletableFuture<Integer> result) {
              result.completeExceptionally(failure);
            }
          });
      assertEquals(2, read.get());
      assertEquals("bc", text(buffer));
      channel.force(true);
      assertNotNull(channel.tryLock());
      assertEquals(2, channel.truncate(2).size());
      fails(IllegalArgumentException.class, () -> channel.read(buffer, -1));
    }
    fails(
        UnsupportedOperationException.class,
        () -> AsynchronousFileChannel.open(path("file"), APPEND));
  }

  // Locks.

  @Test
  void lock_overlapping_fails() throws IOException {
    FileChannel one = open(path("file"), READ, WRITE, CREATE);
    FileChannel two = open(path("file"), READ, WRITE);
    try (FileLock lock = one.lock()) {
      assertTrue(lock.isValid());
      assertFalse(lock.isShared());
      fails(OverlappingFileLockException.class, one::tryLock);
      fails(OverlappingFileLockException.class, two::tryLock);
      fails(OverlappingFileLockException.class, () -> two.tryLock(5, 1, true));
    }
    FileLock again = two.tryLock();
    assertNotNull(again);
    again.release();
    assertFalse(again.isValid());
    again.release();
  }

  @Test
  void lock_ofRegions_overlapsOrNot() throws IOException {
    FileChannel one = open(path("file"), READ, WRITE, CREATE);
    FileChannel two = open(path("file"), READ, WRITE);
    assertNotNull(one.tryLock(0, 10, false));
    assertNotNull(two.tryLock(10, 10, false));
    fails(OverlappingFileLockException.class, () -> two.tryLock(9, 1, false));
  }

  @Test
  void lock_closedChannel_isReleased() throws IOException {
    FileChannel one = open(path("file"), READ, WRITE, CREATE);
    FileLock lock = one.lock();
    one.close();
    assertFalse(lock.isValid());
    fails(ClosedChannelException.class, lock::release);
    assertNotNull(open(path("file"), READ, WRITE).tryLock());
  }

  @Test
  void lock_wrongMode_fails() throws IOException {
    FileChannel reader = open(file("file", ""), READ);
    fails(NonWritableChannelException.class, reader::tryLock);
    fails(NonWritableChannelException.class, reader::lock);
    assertNotNull(reader.tryLock(0, 1, true));
    FileChannel writer = open(path("file"), WRITE);
    fails(NonReadableChannelException.class, () -> writer.tryLock(5, 1, true));
  }

  @Test
  void lock_badRegion_fails() throws IOException {
    FileChannel channel = open(file("file", ""), WRITE);
    fails(IllegalArgumentException.class, () -> channel.tryLock(-1, 1, false));
    fails(IllegalArgumentException.class, () -> channel.tryLock(0, -1, false));
  }

  // Forcing.

  @Test
  void force_anyFile_returns() throws IOException {
    FileChannel channel = open(path("file"), WRITE, CREATE);
    channel.write(bytes("abc"));
    channel.force(false);
    channel.force(true);
    Path unnamed = path("file");
    Files.delete(unnamed);
    channel.force(true);
  }

  @Test
  void asSeekableByteChannel_isAFileChannel() throws IOException {
    try (var channel = Files.newByteChannel(file("file", "abc"))) {
      assertTrue(channel instanceof FileChannel);
      assertEquals(3, channel.size());
    }
    assertNull(folder.getRoot().getFileName());
  }
}
