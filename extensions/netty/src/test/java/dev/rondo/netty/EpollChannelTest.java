package dev.rondo.netty;

/// [ChannelContract] on EPOLL.
final class EpollChannelTest extends ChannelContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
