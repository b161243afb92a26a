package dev.rondo.netty;

/// [WebSocketEndContract] on IO_URING.
final class WebSocketEndIoUringTest extends WebSocketEndContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.IO_URING;
  }
}
