import org.jspecify.annotations.NullMarked;

/// Netty's event loop, transports and channels on the loop of a scheduler.
///
/// The transports EPOLL, IO_URING and KQUEUE each require an optional library.
@NullMarked
@SuppressWarnings("module") // the module of the export comes later
module dev.rondo.netty {
  requires transitive dev.rondo.io;
  requires transitive dev.rondo.scheduler;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires transitive io.netty.transport;
  requires static io.netty.transport.classes.epoll;
  requires static io.netty.transport.classes.io_uring;
  requires static io.netty.transport.classes.kqueue;
  requires static io.netty.transport.unix.common;
  requires static org.jspecify;

  exports dev.rondo.netty;
  exports dev.rondo.netty.internal to
      dev.rondo.grpc,
      dev.rondo.http;
}
