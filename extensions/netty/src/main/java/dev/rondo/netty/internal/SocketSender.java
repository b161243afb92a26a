package dev.rondo.netty.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;
import org.jspecify.annotations.Nullable;

/// Sends bytes to the socket of a channel on epoll at once, past its pipeline. It is for bytes that
/// no handler changes. A pass through the pipeline takes a promise, an entry in the channel's
/// buffer and, with very many sockets, a dozen cache misses.
///
/// Bytes stay in order: nothing is sent here while earlier bytes wait in the channel's buffer. The
/// pipeline sends the bytes that the system does not take, and reports failures.
///
/// Confined to the event loop.
public final class SocketSender {

  /// The library of this class may be missing.
  private static final String EPOLL = "io.netty.channel.epoll.EpollSocketChannel";

  private final Channel.Unsafe unsafe;
  private final Socket socket;

  private SocketSender(Channel.Unsafe unsafe, Socket socket) {
    this.unsafe = unsafe;
    this.socket = socket;
  }

  /// {@return the sender to the socket of a channel; null for another transport}
  public static @Nullable SocketSender of(Channel channel) {
    return channel.getClass().getName().equals(EPOLL)
            && channel instanceof UnixChannel epoll
            && epoll.fd() instanceof Socket socket
        ? new SocketSender(channel.unsafe(), socket)
        : null;
  }

  /// Whether no handler of a channel changes outgoing messages, or observes them.
  public static boolean passesUnchanged(Channel channel) {
    return channel.pipeline().get(ChannelOutboundHandler.class) == null;
  }

  /// Sends bytes as far as the system takes them.
  ///
  /// @param bytes are neither released nor marked as read, so that several channels can send them
  /// @return the number of bytes that were sent; the pipeline must send the rest. 0 if earlier
  ///   bytes wait, the channel is closed or not writable, or the system takes no bytes or fails
  public int send(ByteBuf bytes) {
    ChannelOutboundBuffer waiting = unsafe.outboundBuffer(); // null if the channel is closed
    if (waiting == null
        || waiting.totalPendingWriteBytes() > 0
        || !waiting.isWritable()
        || !bytes.hasMemoryAddress()) {
      return 0;
    }
    try {
      return socket.sendAddress(bytes.memoryAddress(), bytes.readerIndex(), bytes.writerIndex());
    } catch (IOException | NotYetConnectedException e) {
      return 0; // the pipeline's attempt fails as well
    }
  }
}
