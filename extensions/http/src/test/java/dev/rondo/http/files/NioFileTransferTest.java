package dev.rondo.http.files;

import dev.rondo.netty.NettyTransport;

/// [FileTransferContract] on NIO.

final class NioFileTransferTest extends FileTransferContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.NIO;
  }
}
