package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/// How connections end: FIN, RST, half-close.
final class CloseContractTest extends SocketContract {

  private static int readOne(SocketChannel channel) throws IOException {
    return channel.read(ByteBuffer.allocate(1));
  }

  /// Writes until it fails, each time after the peer's answer.
  private IOException writeUntilFailure(SocketChannel channel) {
    return assertThrows(
        IOException.class,
        () -> {
          for (int i = 0; i < 100; i++) {
            channel.write(ByteBuffer.allocate(1));
            readyNow(channel, READ);
          }
        });
  }

  // FIN.

  @Test
  void close_peerReadsTheEnd() throws IOException {
    Pair pair = pair();
    pair.client().close();
    assertEnd(pair.server());
  }

  @Test
  void close_afterWrite_peerReadsAllFirst() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("last"));
    pair.client().close();
    assertEquals("last", read(pair.server(), 4));
    assertEnd(pair.server());
  }

  @Test
  void close_muchUnsent_peerReadsAllFirst() throws IOException {
    Pair pair = pair();
    long taken = fill(pair);
    pair.client().close();
    assertEquals(taken, readToEnd(pair.server()));
  }

  @Test
  void end_readAgain_isTheEndAgain() throws IOException {
    Pair pair = pair();
    pair.client().close();
    assertEnd(pair.server());
    assertEnd(pair.server());
  }

  @Test
  void close_twice_doesNothing() throws IOException {
    Pair pair = pair();
    pair.client().close();
    pair.client().close();
    assertFalse(pair.client().isOpen());
  }

  @Test
  void peerClosed_firstWrite_works() throws IOException {
    Pair pair = pair();
    pair.client().close();
    assertEnd(pair.server());
    assertEquals(1, pair.server().write(ByteBuffer.allocate(1)));
  }

  @Test
  void peerClosed_laterWrite_isABrokenPipe() throws IOException {
    Pair pair = pair();
    pair.client().close();
    assertEnd(pair.server());
    assertEquals("Broken pipe", writeUntilFailure(pair.server()).getMessage());
  }

  @Test
  void peerClosed_readAfterBrokenPipe_isStillTheEnd() throws IOException {
    Pair pair = pair();
    pair.client().close();
    assertEnd(pair.server());
    writeUntilFailure(pair.server());
    assertEquals(-1, readOne(pair.server()));
  }

  @Test
  void peerClosed_isReadableAndWritable() throws IOException {
    Pair pair = pair();
    pair.client().close();
    await(pair.server(), READ);
    assertEquals(READ | WRITE, await(pair.server(), READ | WRITE));
  }

  // RST.

  @Test
  void lingerZero_peerIsReset() throws IOException {
    Pair pair = pair();
    reset(pair.client());
    await(pair.server(), READ);
    var failure = assertThrows(SocketException.class, () -> readOne(pair.server()));
    assertEquals("Connection reset", failure.getMessage());
  }

  @Test
  void reset_readAgain_failsAgain() throws IOException {
    Pair pair = pair();
    reset(pair.client());
    await(pair.server(), READ);
    assertThrows(SocketException.class, () -> readOne(pair.server()));
    assertThrows(SocketException.class, () -> readOne(pair.server()));
  }

  @Test
  void reset_writeFirst_isAResetByPeer() throws IOException {
    Pair pair = pair();
    reset(pair.client());
    await(pair.server(), READ);
    var failure =
        assertThrows(IOException.class, () -> pair.server().write(ByteBuffer.allocate(1)));
    assertEquals("Connection reset by peer", failure.getMessage());
  }

  @Test
  void reset_writeAgain_isABrokenPipe() throws IOException {
    Pair pair = pair();
    reset(pair.client());
    await(pair.server(), READ);
    assertThrows(IOException.class, () -> pair.server().write(ByteBuffer.allocate(1)));
    var failure =
        assertThrows(IOException.class, () -> pair.server().write(ByteBuffer.allocate(1)));
    assertEquals("Broken pipe", failure.getMessage());
  }

  @Test
  void reset_writeAfterRead_isABrokenPipe() throws IOException {
    Pair pair = pair();
    reset(pair.client());
    await(pair.server(), READ);
    assertThrows(IOException.class, () -> readOne(pair.server()));
    var failure =
        assertThrows(IOException.class, () -> pair.server().write(ByteBuffer.allocate(1)));
    assertEquals("Broken pipe", failure.getMessage());
  }

  @Test
  void reset_unreadBytes_areReadFirst() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("data"));
    await(pair.server(), READ);
    reset(pair.client());
    assertEquals("data", read(pair.server(), 4));
    await(pair.server(), READ);
    assertThrows(SocketException.class, () -> readOne(pair.server()));
  }

  @Test
  void reset_isReadyForAll() throws IOException {
    Pair pair = pair();
    reset(pair.client());
    await(pair.server(), READ);
    assertEquals(READ | WRITE, await(pair.server(), READ | WRITE));
  }

  @Test
  void close_withUnreadBytes_peerIsReset() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("unread"));
    await(pair.server(), READ);
    pair.server().close();
    await(pair.client(), READ);
    var failure = assertThrows(SocketException.class, () -> readOne(pair.client()));
    assertEquals("Connection reset", failure.getMessage());
  }

  @Test
  void reset_full_writeFails() throws IOException {
    Pair pair = pair();
    fill(pair);
    reset(pair.server());
    await(pair.client(), WRITE);
    assertThrows(IOException.class, () -> pair.client().write(ByteBuffer.allocate(1)));
  }

  @Test
  void reset_channelStaysOpen() throws IOException {
    Pair pair = pair();
    reset(pair.client());
    await(pair.server(), READ);
    assertThrows(IOException.class, () -> readOne(pair.server()));
    assertTrue(pair.server().isOpen());
    assertTrue(pair.server().isConnected());
  }

  // Half-close.

  @Test
  void shutdownOutput_peerReadsTheEnd() throws IOException {
    Pair pair = pair();
    pair.client().write(bytes("all"));
    pair.client().shutdownOutput();
    assertEquals("all", read(pair.server(), 3));
    assertEnd(pair.server());
  }

  @Test
  void shutdownOutput_otherDirectionGoesOn() throws IOException {
    Pair pair = pair();
    pair.client().shutdownOutput();
    assertEnd(pair.server());
    pair.server().write(bytes("answer"));
    assertEquals("answer", read(pair.client(), 6));
    pair.server().close();
    assertEnd(pair.client());
  }

  @Test
  void shutdownOutput_write_throwsClosed() throws IOException {
    SocketChannel client = pair().client();
    client.shutdownOutput();
    assertThrows(ClosedChannelException.class, () -> client.write(ByteBuffer.allocate(1)));
    assertTrue(client.isOpen());
  }

  @Test
  void shutdownOutput_twice_doesNothing() throws IOException {
    SocketChannel client = pair().client();
    client.shutdownOutput();
    client.shutdownOutput();
    assertTrue(client.isOpen());
  }

  @Test
  void shutdownOutput_notConnected_isRefused() throws IOException {
    SocketChannel client = socket();
    assertThrows(NotYetConnectedException.class, client::shutdownOutput);
    assertThrows(NotYetConnectedException.class, client::shutdownInput);
  }

  @Test
  void shutdownOutput_closed_throwsClosed() throws IOException {
    SocketChannel client = pair().client();
    client.close();
    assertThrows(ClosedChannelException.class, client::shutdownOutput);
  }

  @Test
  void shutdownInput_readsTheEnd() throws IOException {
    Pair pair = pair();
    pair.client().shutdownInput();
    assertEquals(-1, readOne(pair.client()));
  }

  @Test
  void shutdownInput_isReadable() throws IOException {
    Pair pair = pair();
    pair.client().shutdownInput();
    assertEquals(READ, readyNow(pair.client(), READ));
  }

  @Test
  void shutdownInput_bytesAfterwards_peerIsNotReset() throws IOException {
    Pair pair = pair();
    pair.client().shutdownInput();
    pair.server().write(bytes("late"));
    readyNow(pair.server(), READ);
    assertEquals(1, pair.server().write(bytes("r")));
  }

  @Test
  void shutdownInput_unreadBytes_areGone() throws IOException {
    Pair pair = pair();
    pair.server().write(bytes("gone"));
    await(pair.client(), READ);
    pair.client().shutdownInput();
    assertEquals(-1, readOne(pair.client()));
  }

  @Test
  void shutdownInput_writesStillArrive() throws IOException {
    Pair pair = pair();
    pair.client().shutdownInput();
    pair.client().write(bytes("out"));
    assertEquals("out", read(pair.server(), 3));
  }

  @Test
  void bothShutDown_bothReadTheEnd() throws IOException {
    Pair pair = pair();
    pair.client().shutdownOutput();
    pair.server().shutdownOutput();
    assertEnd(pair.client());
    assertEnd(pair.server());
  }

  // While a selector has the channel.

  @Test
  void close_registered_peerReadsTheEndAtOnce() throws IOException {
    Pair pair = pair();
    pair.client().register(selector(), READ);
    pair.client().close();
    assertEnd(pair.server());
  }

  @Test
  void close_registered_peerMayWriteUntilTheSelectorReleasesIt() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.client().register(selector, READ);
    pair.client().close();
    assertEnd(pair.server());
    for (int i = 0; i < 3; i++) {
      assertEquals(1, pair.server().write(ByteBuffer.allocate(1)));
      readyNow(pair.server(), READ);
    }
    selector.selectNow();
    assertNotEquals(null, writeUntilFailure(pair.server()).getMessage());
  }

  @Test
  void lingerZero_registered_peerIsResetWhenReleased() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.client().register(selector, READ);
    reset(pair.client());
    assertEquals(0, readyNow(pair.server(), READ));
    selector.selectNow();
    await(pair.server(), READ);
    assertThrows(SocketException.class, () -> readOne(pair.server()));
  }

  @Test
  void close_registered_keyIsInvalid() throws IOException {
    Pair pair = pair();
    SelectionKey key = pair.client().register(selector(), READ);
    pair.client().close();
    assertFalse(key.isValid());
    assertFalse(pair.client().isRegistered() && pair.client().isOpen());
  }

  @Test
  void lingerPositive_close_peerReadsAll() throws IOException {
    Pair pair = pair();
    pair.client().setOption(StandardSocketOptions.SO_LINGER, 5);
    pair.client().write(bytes("late"));
    pair.client().close();
    assertEquals("late", read(pair.server(), 4));
    assertEnd(pair.server());
  }
}
