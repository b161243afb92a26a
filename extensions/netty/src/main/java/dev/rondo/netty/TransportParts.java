package dev.rondo.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.StandardSocketOptions;
import java.nio.channels.spi.SelectorProvider;

/// The parts of a transport.
///
/// @param handlers makes the handler with which the event loop waits
/// @param sockets makes channels to connect
/// @param listeners makes channels that listen
/// @param reusePort the option of a listener that shares its port
/// @param wholeMillis whether it waits for whole milliseconds only
record TransportParts(
    IoHandlerFactory handlers,
    ChannelFactory<? extends Channel> sockets,
    ChannelFactory<? extends ServerChannel> listeners,
    ChannelOption<Boolean> reusePort,
    boolean wholeMillis) {

  private static final ChannelOption<Boolean> REUSE_PORT =
      NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT);

  static TransportParts nio() {
    return new TransportParts(
        NioIoHandler.newFactory(),
        NioSocketChannel::new,
        NioServerSocketChannel::new,
        REUSE_PORT,
        true);
  }

  /// NIO with the channels that a provider makes.
  ///
  /// @param selectors opens selectors for these channels
  /// @param provider opens the channels
  static TransportParts nio(SelectorProvider selectors, SelectorProvider provider) {
    return new TransportParts(
        NioIoHandler.newFactory(selectors),
        () -> new NioSocketChannel(provider),
        () -> new NioServerSocketChannel(provider),
        REUSE_PORT,
        true);
  }
}
