package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;

/// What a channel asks the selector for.
class RegistrationTest {

  /// So many polls in a row may find what nobody waits for.
  private static final int MOST_UNATTENDED = 8;

  @FunctionalInterface
  private interface Scenario {
    void run(World world, Pipe pipe, ChannelRegistration source) throws Exception;
  }

  /// With a pipe that was read from once.
  private static void with(IoRig rig, Scenario scenario) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      pipe.sink().configureBlocking(false);
      var source = new ChannelRegistration(world.io(), pipe.source(), "source");
      try {
        readAfterAWait(world, pipe);
        assertEquals(SelectionKey.OP_READ, interest(world, pipe));
        scenario.run(world, pipe, source);
      } finally {
        source.close();
        world.io().close(pipe.sink());
      }
    });
  }

  private static void readAfterAWait(World world, Pipe pipe) throws IOException {
    pipe.sink().write(ByteBuffer.allocate(1));
    world.scheduler().await(world.io().readable(pipe.source()));
    pipe.source().read(ByteBuffer.allocate(100));
  }

  private static int interest(World world, Pipe pipe) {
    return world.io().poller().keyOf(pipe.source()).interestOps();
  }

  private static void poll(World world, int times) {
    for (int i = 0; i < times; i++) {
      world.io().poller().noteClosed();
      world.io().poller().pollIfDue(false);
    }
  }

  @OnEveryBackend
  void poll_findsWhatNobodyWaitsForTooOften_letsGoOfIt(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, MOST_UNATTENDED);
          assertEquals(SelectionKey.OP_READ, interest(world, pipe), "somebody may be about to");
          poll(world, 1);
          assertEquals(0, interest(world, pipe));
        });
  }

  @OnEveryBackend
  void poll_findsWhatSomebodyWaitsForBetween_countsAnew(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, MOST_UNATTENDED);
          readAfterAWait(world, pipe);
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, MOST_UNATTENDED);
          assertEquals(SelectionKey.OP_READ, interest(world, pipe));
        });
  }

  /// The next select would not block.
  @OnEveryBackend
  void lend_findsWhatNobodyWaitsFor_letsGoOfItAtOnce(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          pipe.sink().write(ByteBuffer.allocate(1));
          world.io().poller().lend();
          world.io().poller().takeBack();
          assertEquals(0, interest(world, pipe));
        });
  }

  /// It is nearly always ready for that.
  @OnEveryBackend
  void waitToWrite_isOver_letsGoOfItAtOnce(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          world.scheduler().await(world.io().writable(pipe.sink()));
          assertEquals(0, world.io().poller().keyOf(pipe.sink()).interestOps());
        });
  }

  /// A read need not wait for a select then.
  @OnEveryBackend
  void drained_moreHasComeOrThisSideHasShutItDown_isNotAnyMore(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          source.drained(true);
          poll(world, 1);
          assertTrue(source.isDrained());
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, 1);
          assertFalse(source.isDrained());
          source.drained(true);
          source.retry(SelectionKey.OP_READ);
          assertFalse(source.isDrained());
        });
  }
}
