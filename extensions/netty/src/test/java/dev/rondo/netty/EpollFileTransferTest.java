package dev.rondo.netty;

/// [FileTransferContract] on EPOLL.
final class EpollFileTransferTest extends FileTransferContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
