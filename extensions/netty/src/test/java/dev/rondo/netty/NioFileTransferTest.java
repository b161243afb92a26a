package dev.rondo.netty;

/// [FileTransferContract] on NIO.
final class NioFileTransferTest extends FileTransferContract {

  @Override
  NettyTransport transport() {
    return NettyTransport.NIO;
  }
}
