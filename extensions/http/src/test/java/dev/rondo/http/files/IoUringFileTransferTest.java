package dev.rondo.http.files;

import dev.rondo.netty.NettyTransport;

/// [FileTransferContract] on IO_URING.

final class IoUringFileTransferTest extends FileTransferContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.IO_URING;
  }
}
