package dev.rondo.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.spi.SelectorProvider;

/// What a transport consists of.
///
/// @param handlers what the event loop waits with
/// @param sockets makes channels to connect
/// @param listeners makes channels that listen
/// @param wholeMillis whether it waits for whole milliseconds only
record TransportParts(
    IoHandlerFactory handlers,
    ChannelFactory<? extends Channel> sockets,
    ChannelFactory<? extends ServerChannel> listeners,
    boolean wholeMillis) {

  static TransportParts nio() {
    return new TransportParts(
        NioIoHandler.newFactory(), NioSocketChannel::new, NioServerSocketChannel::new, true);
  }

  /// NIO with the channels of a provider.
  ///
  /// @param selectors opens the selectors of that provider
  /// @param provider opens the channels
  static TransportParts nio(SelectorProvider selectors, SelectorProvider provider) {
    return new TransportParts(
        NioIoHandler.newFactory(selectors),
        () -> new NioSocketChannel(provider),
        () -> new NioServerSocketChannel(provider),
        true);
  }
}
