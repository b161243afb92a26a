package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.NullArguments;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class NettyNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(() -> Scheduler.builder().build())
          .sample(WaitForNetty.class, WaitForNetty::on)
          .sample(SocketAddress.class, scheduler -> NettyRig.anyPort())
          .sample(Bootstrap.class, scheduler -> WaitForNetty.on(scheduler).bootstrap())
          .sample(ServerBootstrap.class, scheduler -> WaitForNetty.on(scheduler).serverBootstrap())
          .opened(
              NettyListener.class,
              scheduler ->
                  WaitForNetty.on(scheduler)
                      .listen(NettyRig.anyPort(), NettyRig.handlers(channel -> {})))
          .opened(
              NettyChannel.class,
              scheduler -> {
                WaitForNetty netty = WaitForNetty.on(scheduler);
                var listener = netty.listen(NettyRig.anyPort(), NettyRig.handlers(channel -> {}));
                return netty.connect(listener.localAddress(), NettyRig.handlers(channel -> {}));
              });

  @Test
  void null_anywhere_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(WaitForNetty.class));
  }
}
