package dev.rondo.benchmarks.servers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/// A Netty server with one event loop, or several.
public final class NettyServer {

  private NettyServer() {}

  static void serveOnNio(Consumer<ChannelPipeline> protocol) throws InterruptedException {
    serveOnNio(protocol, _ -> {});
  }

  /// The same, with other work on the loop.
  static void serveOnNio(Consumer<ChannelPipeline> protocol, Consumer<EventLoop> work)
      throws InterruptedException {
    serve(1, NioIoHandler.newFactory(), NioServerSocketChannel.class, protocol, work);
  }

  static void serveOnEpoll(Consumer<ChannelPipeline> protocol) throws InterruptedException {
    serveOnLoops(1, protocol);
  }

  static void serveOnEpoll(Consumer<ChannelPipeline> protocol, Consumer<EventLoop> work)
      throws InterruptedException {
    serve(1, EpollIoHandler.newFactory(), EpollServerSocketChannel.class, protocol, work);
  }

  static void serveOnLoops(int loops, Consumer<ChannelPipeline> protocol)
      throws InterruptedException {
    serve(loops, EpollIoHandler.newFactory(), EpollServerSocketChannel.class, protocol, _ -> {});
  }

  static void serve(
      int loops,
      IoHandlerFactory factory,
      Class<? extends ServerChannel> type,
      Consumer<ChannelPipeline> protocol,
      Consumer<EventLoop> work)
      throws InterruptedException {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE); // silent
    var group = new MultiThreadIoEventLoopGroup(loops, factory);
    work.accept(group.next());
    var channel =
        new ServerBootstrap()
            .group(group)
            .channel(type)
            .option(ChannelOption.SO_BACKLOG, BareServer.BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel connection) {
                    protocol.accept(connection.pipeline());
                  }
                })
            .bind(BareServer.loopback())
            .sync()
            .channel();
    ServerProcess.tell(((InetSocketAddress) channel.localAddress()).getPort());
    channel.closeFuture().sync();
  }
}
