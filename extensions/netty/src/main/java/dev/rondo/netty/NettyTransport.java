package dev.rondo.netty;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How Netty finds out which channels are ready, and reads and writes their bytes.
///
/// NIO is part of Netty. Each of the others requires two libraries of Netty's version, its classes
/// and the native library of the system: `netty-transport-classes-epoll` and
/// `netty-transport-native-epoll` with the classifier `linux-x86_64`, for instance.
public enum NettyTransport {

  /// The JDK's selector and channels, on every system.
  NIO {
    @Override
    public @Nullable String whyNot() {
      return null;
    }

    @Override
    TransportParts parts() {
      return TransportParts.nio();
    }
  },

  /// Linux's `epoll`.
  EPOLL {
    @Override
    public @Nullable String whyNot() {
      return NativeTransports.whyNot("epoll", NativeTransports::epollCause);
    }

    @Override
    TransportParts parts() {
      return NativeTransports.epoll();
    }
  },

  /// Linux's `io_uring`. Used only if it is named.
  IO_URING {
    @Override
    public @Nullable String whyNot() {
      return NativeTransports.whyNot("io_uring", NativeTransports::ioUringCause);
    }

    @Override
    TransportParts parts() {
      return NativeTransports.ioUring();
    }
  },

  /// The `kqueue` of macOS and BSD. Used only if it is named.
  KQUEUE {
    @Override
    public @Nullable String whyNot() {
      return NativeTransports.whyNot("kqueue", NativeTransports::kqueueCause);
    }

    @Override
    TransportParts parts() {
      return NativeTransports.kqueue();
    }
  };

  /// The system property that names the transport: `nio`, `epoll`, `io_uring` or `kqueue`, in any
  /// case. The default is EPOLL where it is possible, and NIO elsewhere. On the HANDOFF backend it
  /// is always NIO.
  public static final String PROPERTY = "rondo.netty.transport";

  /// {@return why this JVM cannot use the transport: the library that it lacks, or the system; null
  /// if it can}
  public abstract @Nullable String whyNot();

  abstract TransportParts parts();

  /// @throws IllegalArgumentException if the property names no transport
  /// @throws UnsupportedOperationException if it names one that this JVM cannot use
  static NettyTransport of(Scheduler scheduler) {
    return of(
        System.getProperty(PROPERTY),
        NettyTransport::whyNot,
        LoopControl.of(scheduler.host()).backend().mountsOnLoopThread());
  }

  /// @param wanted null for the best one
  /// @param whyNot of a transport
  /// @param platformThread whether the loop runs on a platform thread: a virtual one would block
  ///   its carrier in a call of the system
  static NettyTransport of(
      @Nullable String wanted,
      Function<NettyTransport, @Nullable String> whyNot,
      boolean platformThread) {
    if (wanted == null) {
      return platformThread && whyNot.apply(EPOLL) == null ? EPOLL : NIO;
    }
    NettyTransport named = named(wanted);
    String why = whyNot.apply(named);
    if (why != null) {
      throw new UnsupportedOperationException("there is no transport " + named + ": " + why);
    }
    return platformThread ? named : NIO;
  }

  private static NettyTransport named(String name) {
    for (NettyTransport each : values()) {
      if (each.text().equals(name.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "no transport of Netty is named '%s'; there are %s"
            .formatted(
                name,
                Arrays.stream(values())
                    .map(NettyTransport::text)
                    .collect(Collectors.joining(", "))));
  }

  private String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
