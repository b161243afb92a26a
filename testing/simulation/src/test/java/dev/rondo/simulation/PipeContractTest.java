package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import org.junit.jupiter.api.Test;

/// Pipes.
final class PipeContractTest extends SocketContract {

  private static long fill(Pipe pipe) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(4_096);
    long total = 0;
    int count;
    while ((count = pipe.sink().write(buffer.clear())) > 0) {
      total += count;
    }
    return total;
  }

  @Test
  void write_canBeReadAtOnce() throws IOException {
    Pipe pipe = pipe();
    assertEquals(3, pipe.sink().write(bytes("abc")));
    ByteBuffer target = ByteBuffer.allocate(10);
    assertEquals(3, pipe.source().read(target));
    assertEquals("abc", text(target));
  }

  @Test
  void read_nothingThere_returnsZero() throws IOException {
    assertEquals(0, pipe().source().read(ByteBuffer.allocate(1)));
  }

  @Test
  void readiness_followsTheBytes() throws IOException {
    Pipe pipe = pipe();
    assertEquals(0, readyNow(pipe.source(), READ));
    assertEquals(WRITE, readyNow(pipe.sink(), WRITE));
    pipe.sink().write(bytes("x"));
    assertEquals(READ, await(pipe.source(), READ));
  }

  @Test
  void sinkClosed_readsTheRestAndTheEnd() throws IOException {
    Pipe pipe = pipe();
    pipe.sink().write(bytes("rest"));
    pipe.sink().close();
    assertEquals("rest", read(pipe.source(), 4));
    await(pipe.source(), READ);
    assertEquals(-1, pipe.source().read(ByteBuffer.allocate(1)));
  }

  @Test
  void sourceClosed_writeIsABrokenPipe() throws IOException {
    Pipe pipe = pipe();
    pipe.source().close();
    await(pipe.sink(), WRITE);
    var failure = assertThrows(IOException.class, () -> pipe.sink().write(bytes("x")));
    assertEquals("Broken pipe", failure.getMessage());
  }

  @Test
  void full_takesNothingAndIsNotWritable() throws IOException {
    Pipe pipe = pipe();
    assertTrue(fill(pipe) >= 4_096);
    assertEquals(0, pipe.sink().write(bytes("x")));
    assertEquals(0, readyNow(pipe.sink(), WRITE));
  }

  @Test
  void full_read_isWritableAgain() throws IOException {
    Pipe pipe = pipe();
    long total = fill(pipe);
    ByteBuffer all = ByteBuffer.allocate((int) total);
    while (all.hasRemaining()) {
      assertTrue(pipe.source().read(all) > 0);
    }
    assertEquals(WRITE, await(pipe.sink(), WRITE));
  }

  @Test
  void gatherAndScatter_keepTheOrder() throws IOException {
    Pipe pipe = pipe();
    assertEquals(3, pipe.sink().write(new ByteBuffer[] {bytes("a"), bytes("bc")}));
    ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocate(2)};
    assertEquals(3, pipe.source().read(targets));
    assertEquals("ab", text(targets[0]));
    assertEquals("c", text(targets[1]));
  }

  @Test
  void closed_operations_throwClosed() throws IOException {
    Pipe pipe = pipe();
    pipe.sink().close();
    pipe.source().close();
    assertThrows(ClosedChannelException.class, () -> pipe.sink().write(bytes("x")));
    assertThrows(ClosedChannelException.class, () -> pipe.source().read(ByteBuffer.allocate(1)));
  }

  @Test
  void blocking_readReturnsWhatIsThere() throws IOException {
    Pipe pipe = pipe();
    pipe.source().configureBlocking(true);
    pipe.sink().write(bytes("abc"));
    assertEquals(3, pipe.source().read(ByteBuffer.allocate(10)));
  }
}
