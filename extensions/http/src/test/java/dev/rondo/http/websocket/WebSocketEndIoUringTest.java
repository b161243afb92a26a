package dev.rondo.http.websocket;

import dev.rondo.netty.NettyTransport;

/// [WebSocketEndContract] on IO_URING.

final class WebSocketEndIoUringTest extends WebSocketEndContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.IO_URING;
  }
}
