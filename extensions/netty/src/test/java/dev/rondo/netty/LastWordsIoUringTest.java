package dev.rondo.netty;

/// [LastWordsContract] on IO_URING.
final class LastWordsIoUringTest extends LastWordsContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.IO_URING;
  }
}
