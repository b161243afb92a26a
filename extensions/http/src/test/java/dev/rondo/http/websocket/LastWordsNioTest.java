package dev.rondo.http.websocket;

import dev.rondo.netty.NettyTransport;

/// [LastWordsContract] on NIO.

final class LastWordsNioTest extends LastWordsContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.NIO;
  }
}
