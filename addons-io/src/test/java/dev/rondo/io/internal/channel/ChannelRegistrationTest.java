package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig;
import dev.rondo.io.IoRig.World;
import dev.rondo.io.OnEveryBackend;
import dev.rondo.scheduler.Task;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;

/// The interest of a channel.
class ChannelRegistrationTest {

  /// How many polls in a row may find an event for which no task waits.
  private static final int MAX_UNATTENDED = 8;

  @FunctionalInterface
  private interface Scenario {
    void run(World world, Pipe pipe, ChannelRegistration source) throws Exception;
  }

  /// Runs a scenario with a pipe that was read once.
  private static void with(IoRig rig, Scenario scenario) throws Exception {
    rig.run(world -> {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      pipe.sink().configureBlocking(false);
      ChannelRegistration source = world.reactor().register(pipe.source(), "source");
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

  /// The wait begins before there is anything to read; if it found something at once it would ask
  /// for no event.
  private static void readAfterAWait(World world, Pipe pipe) throws Exception {
    pipe.source().read(ByteBuffer.allocate(100));
    Task<?> waiting =
        world.scheduler().spawn(() -> world.scheduler().await(world.io().readable(pipe.source())));
    world.settle();
    pipe.sink().write(ByteBuffer.allocate(1));
    waiting.join();
    pipe.source().read(ByteBuffer.allocate(100));
  }

  private static int interest(World world, Pipe pipe) {
    return interest(world, pipe.source());
  }

  private static int interest(World world, SelectableChannel channel) {
    return world.reactor().selector().keyOf(channel).interestOps();
  }

  private static void poll(World world, int times) {
    for (int i = 0; i < times; i++) {
      world.reactor().idleStrategy().noteClosed();
      world.reactor().idleStrategy().pollIfDue(false);
    }
  }

  @OnEveryBackend
  void poll_findsUnawaitedEventTooOften_dropsInterest(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, MAX_UNATTENDED);
          assertEquals(SelectionKey.OP_READ, interest(world, pipe), "a task may be about to wait");
          poll(world, 1);
          assertEquals(0, interest(world, pipe));
        });
  }

  @OnEveryBackend
  void poll_findsAwaitedEventBetween_countsAgain(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, MAX_UNATTENDED);
          readAfterAWait(world, pipe);
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, MAX_UNATTENDED);
          assertEquals(SelectionKey.OP_READ, interest(world, pipe));
        });
  }

  /// Otherwise the next select would not block.
  @OnEveryBackend
  void lend_findsUnawaitedEvent_dropsInterestAtOnce(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          pipe.sink().write(ByteBuffer.allocate(1));
          world.reactor().idleStrategy().lend();
          world.reactor().idleStrategy().takeBack();
          assertEquals(0, interest(world, pipe));
        });
  }

  /// A channel is nearly always ready to write.
  @OnEveryBackend
  void waitToWrite_isOver_dropsInterestAtOnce(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          while (pipe.sink().write(ByteBuffer.allocate(1_000)) > 0) {}
          Task<?> waiting =
              world
                  .scheduler()
                  .spawn(() -> world.scheduler().await(world.io().writable(pipe.sink())));
          world.settle();
          assertEquals(SelectionKey.OP_WRITE, interest(world, pipe.sink()));
          while (pipe.source().read(ByteBuffer.allocate(100_000)) > 0) {}
          waiting.join();
          assertEquals(0, interest(world, pipe.sink()));
        });
  }

  /// A channel that is not drained can be read without a select.
  @OnEveryBackend
  void drained_moreHasComeOrThisSideHasShutItDown_isNotAnyMore(IoRig rig) throws Exception {
    with(
        rig,
        (world, pipe, source) -> {
          source.drained = true;
          poll(world, 1);
          assertTrue(source.drained);
          pipe.sink().write(ByteBuffer.allocate(1));
          poll(world, 1);
          assertFalse(source.drained);
          source.drained = true;
          source.retry(SelectionKey.OP_READ);
          assertFalse(source.drained);
        });
  }
}
