package dev.rondo.netty;

/// [LastWordsContract] on NIO.
final class LastWordsNioTest extends LastWordsContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.NIO;
  }
}
