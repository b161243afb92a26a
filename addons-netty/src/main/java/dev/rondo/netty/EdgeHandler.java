package dev.rondo.netty;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.ThreadAwareExecutor;

/// Netty's handler of epoll, with TCP sockets that are edge-triggered.
///
/// Netty's are level-triggered: each call of epoll looks once more at every socket that was ready
/// in the one before, which costs a short request some 100 ns. An edge-triggered socket is reported
/// when bytes arrive, and not again.
///
/// A read that has not filled its buffer has taken all that was there, and what arrives later is
/// reported (epoll(7), question 9). If Netty has read nothing, or has filled its buffer, bytes may
/// be left: the socket is then registered once more, and epoll reports it again if it is readable.
///
/// Listening sockets, and those of other protocols, stay as they are. Confined to the loop's
/// thread, except [#wakeup()].
final class EdgeHandler implements IoHandler {

  private final IoHandler epoll;

  private EdgeHandler(IoHandler epoll) {
    this.epoll = epoll;
  }

  /// {@return a factory of such handlers}
  ///
  /// @param epolls makes Netty's
  static IoHandlerFactory factory(IoHandlerFactory epolls) {
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return new EdgeHandler(epolls.newHandler(executor));
      }

      @Override
      public boolean isChangingThreadSupported() {
        return epolls.isChangingThreadSupported();
      }
    };
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return epoll.run(context);
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    if (handle instanceof EpollIoHandle socket
        && handle instanceof Channel.Unsafe channel
        && handle.getClass().getEnclosingClass() == EpollSocketChannel.class) {
      var edge = new Edge(socket, channel);
      edge.registration = epoll.register(edge);
      return edge;
    }
    return epoll.register(handle);
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return epoll.isCompatible(handleType);
  }

  /// A socket and its registration.
  @SuppressWarnings("try") // `close()` may throw whatever that of Netty's channel throws
  private static final class Edge implements EpollIoHandle, IoRegistration {

    private final EpollIoHandle socket;
    private final Channel.Unsafe channel;

    /// Epoll's own.
    @SuppressWarnings("NullAway.Init") // set before anything else happens
    private IoRegistration registration;

    /// What the socket waits for.
    private EpollIoOps asked = EpollIoOps.NONE;

    Edge(EpollIoHandle socket, Channel.Unsafe channel) {
      this.socket = socket;
      this.channel = channel;
    }

    // What Netty's channel asks for.

    @Override
    public long submit(IoOps ops) {
      var wanted = (EpollIoOps) ops;
      asked = wanted;
      boolean none = wanted.value() == EpollIoOps.NONE.value(); // which means to forget the socket
      return registration.submit(none ? wanted : wanted.with(EpollIoOps.EPOLLET));
    }

    @Override
    public <T> T attachment() {
      return registration.attachment();
    }

    @Override
    public boolean isValid() {
      return registration.isValid();
    }

    @Override
    public boolean cancel() {
      return registration.cancel();
    }

    // What epoll reports.

    @Override
    public void handle(IoRegistration own, IoEvent event) {
      var reads = channel.recvBufAllocHandle();
      reads.attemptedBytesRead(0);
      socket.handle(this, event);
      if (((EpollIoEvent) event).ops().contains(EpollIoOps.EPOLLIN)
          && asked.contains(EpollIoOps.EPOLLIN)
          && reads.lastBytesRead() >= reads.attemptedBytesRead()) {
        long _ = submit(asked);
      }
    }

    @Override
    public void registered() {
      socket.registered();
    }

    @Override
    public void unregistered() {
      socket.unregistered();
    }

    @Override
    public void close() throws Exception {
      socket.close();
    }

    @Override
    public FileDescriptor fd() {
      return socket.fd();
    }
  }
}
