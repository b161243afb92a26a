package dev.rondo.http.websocket;

import dev.rondo.netty.NettyTransport;

/// [WebSocketEndContract] on EPOLL.

final class WebSocketEndEpollTest extends WebSocketEndContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
