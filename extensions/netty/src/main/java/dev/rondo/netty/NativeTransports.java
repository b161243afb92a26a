package dev.rondo.netty;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.kqueue.KQueue;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.kqueue.KQueueServerSocketChannel;
import io.netty.channel.kqueue.KQueueSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The transports whose libraries may be missing. Without its library, a method fails with a
/// [LinkageError].
final class NativeTransports {

  private NativeTransports() {}

  /// @param name of the libraries
  /// @param cause returns why the transport cannot be used, null if it can; fails without the
  ///   classes
  static @Nullable String whyNot(String name, Supplier<? extends @Nullable Throwable> cause) {
    try {
      Throwable why = cause.get();
      return why == null ? null : "it requires its system and %s: %s".formatted(natives(name), why);
    } catch (LinkageError e) {
      return "it requires io.netty:netty-transport-classes-%s and %s"
          .formatted(name, natives(name));
    }
  }

  private static String natives(String name) {
    return "io.netty:netty-transport-native-%s with the classifier of the system".formatted(name);
  }

  static @Nullable Throwable epollCause() {
    return Epoll.unavailabilityCause();
  }

  static @Nullable Throwable ioUringCause() {
    return IoUring.unavailabilityCause();
  }

  static @Nullable Throwable kqueueCause() {
    return KQueue.unavailabilityCause();
  }

  static TransportParts epoll() {
    return new TransportParts(
        EpollIoHandler.newFactory(),
        EpollSocketChannel::new,
        EpollServerSocketChannel::new,
        UnixChannelOption.SO_REUSEPORT,
        false);
  }

  static TransportParts ioUring() {
    return new TransportParts(
        RingHandler.factory(IoUringIoHandler.newFactory()),
        IoUringSocketChannel::new,
        IoUringServerSocketChannel::new,
        UnixChannelOption.SO_REUSEPORT,
        false);
  }

  static TransportParts kqueue() {
    return new TransportParts(
        KQueueIoHandler.newFactory(),
        KQueueSocketChannel::new,
        KQueueServerSocketChannel::new,
        UnixChannelOption.SO_REUSEPORT,
        false);
  }
}
