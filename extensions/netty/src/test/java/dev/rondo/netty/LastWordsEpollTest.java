package dev.rondo.netty;

/// [LastWordsContract] on EPOLL.
final class LastWordsEpollTest extends LastWordsContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
