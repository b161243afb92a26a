package dev.rondo.http.websocket;

import dev.rondo.netty.NettyTransport;

/// [LastWordsContract] on EPOLL.

final class LastWordsEpollTest extends LastWordsContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
