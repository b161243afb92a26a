package dev.rondo.netty;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Netty's io_uring handler with a different shutdown. After Netty's shutdown a read is left that
/// may take a wakeup of the next loop, and that loop then sleeps for ever.
///
/// To shut down, Netty 4.2.17 and 4.2.18 submit a request that drains the ring (`IOSQE_IO_DRAIN`),
/// and read the eventfd once more behind it. The kernel defers this read and hands it to a worker
/// thread, which looks up the file by its number when it begins. Netty cancels the read and closes
/// the eventfd without waiting for the read. The number may then belong to the eventfd of another
/// ring: the read empties it, and writes to memory that Netty has freed. This handler closes the
/// handles and lets their requests end without a drain. A read that the ring itself has begun is
/// not looked up again, and is cancelled at once.
///
/// Confined to the loop's thread, except [#wakeup()].
final class RingHandler implements IoHandler {

  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(RingHandler.class);

  /// Ended registrations are removed when there are at least this many.
  private static final int SOME = 64;

  /// Polls without blocking.
  private static final IoHandlerContext NOW =
      new IoHandlerContext() {
        @Override
        public boolean canBlock() {
          return false;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
          return 0;
        }

        @Override
        public long deadlineNanos() {
          return NettyLoop.NO_DEADLINE;
        }
      };

  private final IoHandler ring;
  private final Map<IoRegistration, IoHandle> registered = new HashMap<>();
  private int removeAt = SOME;

  private RingHandler(IoHandler ring) {
    this.ring = ring;
  }

  /// {@return a factory of such handlers}
  ///
  /// @param rings makes Netty's
  static IoHandlerFactory factory(IoHandlerFactory rings) {
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return new RingHandler(rings.newHandler(executor));
      }

      @Override
      public boolean isChangingThreadSupported() {
        return rings.isChangingThreadSupported();
      }
    };
  }

  @Override
  public void initialize() {
    ring.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return ring.run(context);
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    IoRegistration made = ring.register(handle);
    if (registered.size() >= removeAt) {
      registered.keySet().removeIf(each -> !each.isValid());
      removeAt = Math.max(SOME, 2 * registered.size());
    }
    registered.put(made, handle);
    return made;
  }

  @Override
  public void prepareToDestroy() {
    for (IoHandle each : List.copyOf(registered.values())) {
      try {
        each.close();
      } catch (Exception e) {
        LOG.warn("closing {} has failed; the others are closed nevertheless", each, e);
      }
    }
    registered.clear();
    int _ = ring.run(NOW); // until no ended request lets another one begin
  }

  @Override
  public void destroy() {
    ring.destroy();
  }

  @Override
  public void wakeup() {
    ring.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return ring.isCompatible(handleType);
  }
}
