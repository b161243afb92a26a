package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reading and writing the bytes of a connection.
final class StreamContractTest extends SocketContract {

  @Test
  void read_nothingThere_returnsZero() throws IOException {
    assertEquals(0, pair().client().read(ByteBuffer.allocate(1)));
  }

  @Test
  void write_arrivesInOrder() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("one"));
    pair.client().write(bytes("two"));
    assertEquals("onetwo", read(pair.server(), 6));
  }

  @Test
  void bothDirections_areIndependent() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("ping"));
    pair.server().write(bytes("pong"));
    assertEquals("ping", read(pair.server(), 4));
    assertEquals("pong", read(pair.client(), 4));
  }

  @Test
  void read_smallBuffer_leavesTheRest() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("abcdef"));
    await(pair.server(), READ);
    ByteBuffer two = ByteBuffer.allocate(2);
    assertEquals(2, pair.server().read(two));
    assertEquals("ab", text(two));
    assertEquals("cdef", read(pair.server(), 4));
  }

  @Test
  void read_largeBuffer_returnsWhatIsThere() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("abc"));
    await(pair.server(), READ);
    assertEquals(3, pair.server().read(ByteBuffer.allocate(100)));
  }

  @Test
  void read_emptyBuffer_returnsZero() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("abc"));
    await(pair.server(), READ);
    assertEquals(0, pair.server().read(ByteBuffer.allocate(0)));
    assertEquals("abc", read(pair.server(), 3));
  }

  @Test
  void write_emptyBuffer_returnsZero() throws IOException {
    assertEquals(0, pair().client().write(ByteBuffer.allocate(0)));
  }

  @Test
  void read_readOnlyBuffer_isRefused() throws IOException {
    SocketChannel client = pair().client();
    assertThrows(
        IllegalArgumentException.class,
        () -> client.read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
  }

  @Test
  void write_directAndReadOnlyBuffers_work() throws IOException {
    Pair pair = pair();
    ByteBuffer direct = ByteBuffer.allocateDirect(3).put(bytes("dir")).flip();
    pair.client().write(direct);
    pair.client().write(bytes("ro").asReadOnlyBuffer());
    assertEquals("dirro", read(pair.server(), 5));
    assertFalse(direct.hasRemaining());
  }

  @Test
  void read_directBuffer_works() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("abc"));
    await(pair.server(), READ);
    ByteBuffer direct = ByteBuffer.allocateDirect(8).position(2);
    assertEquals(3, pair.server().read(direct));
    assertEquals(5, direct.position());
  }

  @Test
  void write_changedAfterwards_peerReadsTheOldBytes() throws IOException {
    Pair pair = pair();
    byte[] source = {1, 2, 3};
    pair.client().write(ByteBuffer.wrap(source));
    source[0] = 9;
    await(pair.server(), READ);
    ByteBuffer target = ByteBuffer.allocate(3);
    pair.server().read(target);
    assertArrayEquals(new byte[] {1, 2, 3}, target.array());
  }

  @Test
  void readAndWrite_notConnected_areRefused() throws IOException {
    SocketChannel client = socket();
    assertThrows(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
    assertThrows(NotYetConnectedException.class, () -> client.write(ByteBuffer.allocate(1)));
  }

  @Test
  void readAndWrite_closed_throwClosed() throws IOException {
    SocketChannel client = pair().client();
    client.close();
    assertThrows(ClosedChannelException.class, () -> client.read(ByteBuffer.allocate(1)));
    assertThrows(ClosedChannelException.class, () -> client.write(ByteBuffer.allocate(1)));
  }

  // Several buffers.

  @Test
  void write_gathering_sendsAllInOrder() throws IOException {
    Pair pair = pair();
    ByteBuffer[] sources = {bytes("a"), bytes(""), bytes("bc"), bytes("d")};
    assertEquals(4, pair.client().write(sources));
    assertEquals("abcd", read(pair.server(), 4));
  }

  @Test
  void write_gatheringWithRange_sendsThoseOnly() throws IOException {
    Pair pair = pair();
    ByteBuffer[] sources = {bytes("a"), bytes("b"), bytes("c")};
    assertEquals(1, pair.client().write(sources, 1, 1));
    assertEquals("b", read(pair.server(), 1));
    assertTrue(sources[0].hasRemaining() && sources[2].hasRemaining());
  }

  @Test
  void write_gatheringBeyondTheEnd_isRefused() throws IOException {
    SocketChannel client = pair().client();
    ByteBuffer[] sources = {bytes("a")};
    assertThrows(IndexOutOfBoundsException.class, () -> client.write(sources, 0, 2));
  }

  @Test
  void read_scattering_fillsInOrder() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("abcde"));
    await(pair.server(), READ);
    ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocate(2), ByteBuffer.allocate(9)};
    assertEquals(5, pair.server().read(targets));
    assertEquals("ab", text(targets[0]));
    assertEquals("cd", text(targets[1]));
    assertEquals("e", text(targets[2]));
  }

  @Test
  void read_scatteringNothingThere_returnsZero() throws IOException {
    ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocate(2)};
    assertEquals(0, pair().client().read(targets));
  }

  @Test
  void read_scatteringAtEnd_returnsMinusOne() throws IOException {
    Pair pair = pair();
    pair.server().close();
    await(pair.client(), READ);
    assertEquals(-1, pair.client().read(new ByteBuffer[] {ByteBuffer.allocate(2)}));
  }

  // Back-pressure.

  @Test
  void write_peerDoesNotRead_takesLessAndThenNothing() throws IOException {
    Pair pair = pair();
    long taken = fill(pair);
    assertTrue(taken > 4_000, () -> "taken=" + taken);
    assertTrue(taken < 16_000_000, () -> "taken=" + taken);
    assertEquals(0, pair.client().write(ByteBuffer.allocate(1_000)));
  }

  @Test
  void write_full_isNotWritable() throws IOException {
    Pair pair = pair();
    fill(pair);
    assertEquals(0, readyNow(pair.client(), WRITE));
  }

  @Test
  void write_fullBufferGrows_isWritable() throws IOException {
    Pair pair = pair();
    fill(pair);
    Selector selector = selector();
    SelectionKey key = pair.client().register(selector, WRITE);
    assertEquals(0, selector.selectNow());
    pair.client().setOption(StandardSocketOptions.SO_SNDBUF, 131_072);
    assertEquals(1, selector.select(10_000));
    assertTrue(key.isWritable());
  }

  @Test
  void write_partial_movesThePositionByWhatWasTaken() throws IOException {
    Pair pair = pair();
    pair.server().setOption(StandardSocketOptions.SO_RCVBUF, 16_384);
    pair.client().setOption(StandardSocketOptions.SO_SNDBUF, 16_384);
    ByteBuffer large = ByteBuffer.allocate(20_000_000);
    int count = pair.client().write(large);
    assertTrue(count > 0 && count < large.capacity(), () -> "count=" + count);
    assertEquals(count, large.position());
  }

  @Test
  void write_peerReadsAll_isWritableAgain() throws IOException {
    Pair pair = pair();
    long taken = fill(pair);
    ByteBuffer buffer = ByteBuffer.allocate(100_000);
    for (long left = taken; left > 0; ) {
      await(pair.server(), READ);
      left -= pair.server().read(buffer.clear());
    }
    await(pair.client(), WRITE);
    assertTrue(pair.client().write(ByteBuffer.allocate(1)) > 0);
  }

  @Test
  void write_peerReadsPiecesAndAnswersEach_allArrives() throws IOException {
    Pair pair = pair();
    long taken = fill(pair);
    ByteBuffer piece = ByteBuffer.allocate(4_096);
    for (long left = taken; left > 0; ) {
      await(pair.server(), READ);
      left -= pair.server().read(piece.clear());
      pair.server().write(bytes("."));
    }
    await(pair.client(), WRITE);
  }

  @Test
  void write_megabytes_arriveUnchanged() throws IOException {
    Pair pair = pair();
    byte[] sent = new byte[3_000_000];
    new Random(17).nextBytes(sent);
    ByteBuffer source = ByteBuffer.wrap(sent);
    ByteBuffer target = ByteBuffer.allocate(sent.length);
    while (target.hasRemaining()) {
      pair.client().write(source);
      await(pair.server(), READ);
      pair.server().read(target);
    }
    assertArrayEquals(sent, target.array());
  }

  @Test
  void write_gatheringFull_takesAPart() throws IOException {
    Pair pair = pair();
    pair.server().setOption(StandardSocketOptions.SO_RCVBUF, 16_384);
    pair.client().setOption(StandardSocketOptions.SO_SNDBUF, 16_384);
    ByteBuffer[] sources = {ByteBuffer.allocate(9_000_000), ByteBuffer.allocate(9_000_000)};
    long count = pair.client().write(sources);
    assertTrue(count > 0 && count < 18_000_000, () -> "count=" + count);
    assertEquals(9_000_000, sources[1].remaining());
  }

  // Files.

  @Test
  void transferTo_file_arrives(@TempDir Path folder) throws IOException {
    Pair pair = pair();
    Path file = Files.writeString(folder.resolve("file"), "content of a file");
    try (FileChannel channel = FileChannel.open(file)) {
      assertEquals(7, channel.transferTo(0, 7, pair.client()));
      assertEquals(10, channel.transferTo(7, 100, pair.client()));
    }
    assertEquals("content of a file", read(pair.server(), 17));
  }

  @Test
  void transferTo_full_takesAPart(@TempDir Path folder) throws IOException {
    Pair pair = pair();
    fill(pair);
    Path file = Files.write(folder.resolve("file"), new byte[100]);
    try (FileChannel channel = FileChannel.open(file)) {
      assertEquals(0, channel.transferTo(0, 100, pair.client()));
    }
  }

  @Test
  void transferFrom_socket_writesTheFile(@TempDir Path folder) throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("to the file"));
    await(pair.server(), READ);
    Path file = folder.resolve("file");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertEquals(11, channel.transferFrom(pair.server(), 0, 100));
    }
    assertEquals("to the file", Files.readString(file));
  }
}
