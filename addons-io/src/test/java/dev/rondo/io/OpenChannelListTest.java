package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.nio.channels.Pipe;

/// The channels that an onlooker finds.
class OpenChannelListTest {

  @OnEveryBackend
  void sockets_areListedUntilTheyAreClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      ChannelList open = LoopView.of(world.scheduler()).openChannels();
      TcpListener listener = world.listen();
      assertEquals(1, open.count());
      listener.close();
      assertEquals(0, open.count());
      try (var _ = world.pair()) {
        assertEquals(2, open.count());
      }
      assertEquals(0, open.count());
    });
  }

  @OnEveryBackend
  void channelOfTheProgram_whichItClosesItself_isStruckOut(IoRig rig) throws Exception {
    rig.run(world -> {
      ChannelList open = LoopView.of(world.scheduler()).openChannels();
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      Task<Throwable> waiting =
          world.failing(() -> world.scheduler().await(world.io().readable(pipe.source())));
      world.settle();
      assertEquals(1, open.count());
      pipe.source().close();
      pipe.sink().close();
      assertEquals(ChannelClosedException.class, waiting.join().getClass());
      assertEquals(0, open.count());
    });
  }
}
