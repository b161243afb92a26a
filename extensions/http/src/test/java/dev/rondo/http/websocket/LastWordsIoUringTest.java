package dev.rondo.http.websocket;

import dev.rondo.netty.NettyTransport;

/// [LastWordsContract] on IO_URING.

final class LastWordsIoUringTest extends LastWordsContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.IO_URING;
  }
}
