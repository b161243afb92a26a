package dev.rondo.http.files;

import dev.rondo.netty.NettyTransport;

/// [FileTransferContract] on EPOLL.

final class EpollFileTransferTest extends FileTransferContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL;
  }
}
