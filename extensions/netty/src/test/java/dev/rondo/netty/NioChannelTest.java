package dev.rondo.netty;

/// [ChannelContract] on NIO.
final class NioChannelTest extends ChannelContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.NIO;
  }
}
