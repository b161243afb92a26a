package dev.rondo.netty;

/// [ChannelContract] on NIO.
final class NioChannelTest extends ChannelContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.NIO;
  }
}
