package dev.rondo.netty;

/// [FileTransferContract] on IO_URING.
final class IoUringFileTransferTest extends FileTransferContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.IO_URING;
  }
}
