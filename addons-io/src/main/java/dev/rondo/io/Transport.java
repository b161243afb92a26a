package dev.rondo.io;

import dev.rondo.io.internal.linux.Epoll;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The way in which the IO add-on finds ready channels, and reads and writes the bytes of stream
/// sockets.
///
/// | | NIO | EPOLL |
/// |---|---|---|
/// | built on | the JDK's selector and its channels' reads and writes | `epoll`, `recv` and `send` of Linux, through the JDK's foreign function interface |
/// | JVM flags | none | `--add-exports java.base/sun.nio.ch=ALL-UNNAMED --enable-native-access=ALL-UNNAMED` |
/// | coroutine backends | all | CONTINUATION and BOUND |
/// | start | at once | 0.1 to 0.2 s later, when IO is first used, because the JVM creates adapters for the calls |
///
/// The third transport, PROVIDED, is for simulations. Only the scheduler chooses it.
///
/// NIO and EPOLL behave the same and work on the same channels. EPOLL also uses the JDK's channels,
/// for everything but waiting and the reads and writes of stream sockets.
///
/// The JVM's Flight Recorder records the reads and writes of NIO only.
///
/// On the module path replace `ALL-UNNAMED` by `dev.rondo.io`. In the jar given to `java -jar` the
/// manifest entries `Add-Exports: java.base/sun.nio.ch` and `Enable-Native-Access: ALL-UNNAMED`
/// replace the flags.
public enum Transport {

  /// The JDK's own, on every system.
  NIO {
    @Override
    Selector open() throws IOException {
      return Selector.open();
    }
  },

  /// Linux's own calls: up to a tenth less CPU time for a small message.
  EPOLL {
    @Override
    Selector open() throws IOException {
      return Epoll.open();
    }
  },

  /// The selectors and channels of a provider that the scheduler was given, see
  /// [WaitForIO#on(Scheduler, java.nio.channels.spi.SelectorProvider)].
  PROVIDED {
    @Override
    Selector open() {
      throw new UnsupportedOperationException("there is no provider");
    }
  };

  /// The system property that names the transport: `nio` or `epoll`, in any case. If it names
  /// `epoll` and the JVM lacks its flags, the first use of IO fails with an
  /// [UnsupportedOperationException] that names them. With the flags, on the HANDOFF backend, the
  /// transport is NIO.
  public static final String PROPERTY = "rondo.transport";

  abstract Selector open() throws IOException;

  /// The transport of a scheduler: the one that the property names, or else EPOLL if this JVM has
  /// the flags for it.
  ///
  /// @throws IllegalArgumentException if the property names no transport
  /// @throws UnsupportedOperationException if the property names a transport for which this JVM
  ///   lacks flags; the message lists the flags
  static Transport of(Scheduler scheduler) {
    return of(
        System.getProperty(PROPERTY),
        Epoll::whyNot,
        LoopControl.of(scheduler.host()).backend().mountsOnLoopThread());
  }

  /// @param wanted null for the best one
  /// @param whyNoEpoll returns null if EPOLL is possible; called only if that matters
  /// @param platformThread whether the loop runs on a platform thread: a virtual one would block
  ///   its carrier in a call of the system
  static Transport of(
      @Nullable String wanted,
      Supplier<? extends @Nullable String> whyNoEpoll,
      boolean platformThread) {
    if (wanted == null) {
      return platformThread && whyNoEpoll.get() == null ? EPOLL : NIO;
    }
    return switch (wanted.toLowerCase(Locale.ROOT)) {
      case "nio" -> NIO;
      case "epoll" -> {
        String why = whyNoEpoll.get();
        if (why != null) {
          throw new UnsupportedOperationException("there is no EPOLL transport: " + why);
        }
        yield platformThread ? EPOLL : NIO;
      }
      default ->
          throw new IllegalArgumentException(
              "no transport is named '" + wanted + "'; there are nio and epoll");
    };
  }
}
