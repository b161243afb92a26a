package com.acme.threads;

import dev.rondo.simulation.WorldHost;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A server and a client of Netty, as they are: threads with selectors of their own.
public final class NettyEcho {

  private static final int PORT = 7;

  private NettyEcho() {}

  /// Sends back what it receives.
  public static final class Server implements WorldHost.Main {

    /// Its constructor.
    public Server() {}

    @Override
    public void run(WorldHost host) throws Exception {
      var group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
      new ServerBootstrap()
          .group(group)
          .channel(NioServerSocketChannel.class)
          .childHandler(
              new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel made) {
                  made.pipeline().addLast(new Echo());
                }
              })
          .bind(PORT)
          .sync();
    }
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.executor().schedule(() -> context.writeAndFlush(message), 1, TimeUnit.MINUTES);
    }
  }

  /// Sends a number and tells what comes back.
  public static final class Client implements WorldHost.Main {

    private final Consumer<String> told;

    /// @param told receives the number
    public Client(Consumer<String> told) {
      this.told = told;
    }

    @Override
    @SuppressWarnings("AddressSelection") // the host has one
    public void run(WorldHost host) throws Exception {
      Thread.sleep(100);
      var received = new LinkedBlockingQueue<Integer>();
      var group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
      Channel channel =
          new Bootstrap()
              .group(group)
              .channel(NioSocketChannel.class)
              .handler(
                  new SimpleChannelInboundHandler<ByteBuf>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
                      received.add(bytes.readInt());
                    }
                  })
              .connect(InetAddress.getByName("server"), PORT)
              .sync()
              .channel();
      for (int i = 0; i < 3; i++) {
        channel.writeAndFlush(Unpooled.copyInt(i)).sync();
        told.accept("received " + received.take());
      }
      channel.close().sync();
      group.shutdownGracefully().sync();
      told.accept("end");
    }
  }
}
