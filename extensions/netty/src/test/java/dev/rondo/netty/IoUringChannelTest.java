package dev.rondo.netty;

/// [ChannelContract] on IO_URING.
final class IoUringChannelTest extends ChannelContract {

  @Override
  protected NettyTransport transport() {
    return NettyTransport.IO_URING;
  }
}
