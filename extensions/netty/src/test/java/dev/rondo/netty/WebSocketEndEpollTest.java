package dev.rondo.netty;

/// [WebSocketEndContract] on EPOLL.
final class WebSocketEndEpollTest extends WebSocketEndContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
