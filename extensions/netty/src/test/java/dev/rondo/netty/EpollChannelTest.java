package dev.rondo.netty;

/// [ChannelContract] on EPOLL.
final class EpollChannelTest extends ChannelContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
