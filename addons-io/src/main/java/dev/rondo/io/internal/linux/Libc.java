package dev.rondo.io.internal.linux;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Functions of the C library, with the constants of Linux on the processors that [Epoll] names.
///
/// An object has one place for `errno`, so only one thread at a time may use it.
final class Libc {

  /// Result of `recv` and `send`: not now.
  static final int AGAIN = -2;

  /// Result of `recv`: the peer broke the connection. Reported once; then `recv` reports the end of
  /// the stream.
  static final int RESET = -3;

  /// Result of `epoll_wait`: a signal interrupted it.
  static final int INTERRUPTED = -4;

  static final int EPOLLIN = 0x01;
  static final int EPOLLOUT = 0x04;
  static final int EPOLLERR = 0x08;
  static final int EPOLLHUP = 0x10;

  static final short POLLIN = 0x01;
  static final short POLLOUT = 0x04;
  private static final short POLLNVAL = 0x20;
  private static final long REVENTS_OFFSET = Integer.BYTES + Short.BYTES;

  static final int EPOLL_CTL_ADD = 1;
  static final int EPOLL_CTL_DEL = 2;
  static final int EPOLL_CTL_MOD = 3;

  /// `EPOLL_CLOEXEC` and `EFD_CLOEXEC`: child processes do not inherit the descriptor.
  private static final int CLOEXEC = 0x80000;

  private static final int EFD_NONBLOCK = 0x800;

  /// A broken connection is reported as an error, not by a signal.
  private static final int MSG_NOSIGNAL = 0x4000;

  private static final int ENOENT = 2;
  private static final int EINTR = 4;
  private static final int EBADF = 9;
  private static final int EAGAIN = 11;
  private static final int EPIPE = 32;
  private static final int ECONNRESET = 104;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;
  private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;

  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle EPOLL_CREATE =
      handle("epoll_create1", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle EPOLL_CTL =
      handle("epoll_ctl", FunctionDescriptor.of(INT, INT, INT, INT, ADDRESS));
  private static final MethodHandle EPOLL_WAIT =
      handle("epoll_wait", FunctionDescriptor.of(INT, INT, ADDRESS, INT, INT));
  private static final @Nullable MethodHandle EPOLL_PWAIT2 =
      handleIfKnown(
          "epoll_pwait2", FunctionDescriptor.of(INT, INT, ADDRESS, INT, ADDRESS, ADDRESS));
  private static final MethodHandle EVENTFD =
      handle("eventfd", FunctionDescriptor.of(INT, INT, INT));
  private static final MethodHandle READ =
      handle("read", FunctionDescriptor.of(SIZE, INT, ADDRESS, SIZE));
  private static final MethodHandle WRITE =
      handle("write", FunctionDescriptor.of(SIZE, INT, ADDRESS, SIZE));
  private static final MethodHandle RECV =
      handle("recv", FunctionDescriptor.of(SIZE, INT, ADDRESS, SIZE, INT));
  private static final MethodHandle SEND =
      handle("send", FunctionDescriptor.of(SIZE, INT, ADDRESS, SIZE, INT));
  private static final MethodHandle POLL =
      handle("poll", FunctionDescriptor.of(INT, ADDRESS, SIZE, INT));
  private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle STRERROR =
      handle("strerror", FunctionDescriptor.of(ADDRESS, INT));

  /// Whether the C library and the system know `epoll_pwait2`.
  private static final boolean COUNTS_NANOS = EPOLL_PWAIT2 != null && new Libc().knowsEpollPwait2();

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /// More than the longest text of `strerror`.
  private static final int LONGEST_TEXT_BYTES = 1_024;

  /// A `pollfd`: the descriptor, the wanted and the found events.
  private final MemorySegment polled = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

  /// A `timespec`: seconds and nanoseconds.
  private final MemorySegment timeout = Arena.ofAuto().allocate(2L * Long.BYTES, Long.BYTES);

  /// Where the functions store `errno`.
  private final MemorySegment state = Arena.ofAuto().allocate(STATE);

  /// Finds all functions.
  ///
  /// @throws LinkageError if the system lacks one
  static void link() {
    // the class initializer has done so
  }

  private static MethodHandle handle(String function, FunctionDescriptor types) {
    return handle(Linker.nativeLinker().defaultLookup().findOrThrow(function), types);
  }

  private static @Nullable MethodHandle handleIfKnown(String function, FunctionDescriptor types) {
    return Linker.nativeLinker()
        .defaultLookup()
        .find(function)
        .map(address -> handle(address, types))
        .orElse(null);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(MemorySegment function, FunctionDescriptor types) {
    return Linker.nativeLinker()
        .downcallHandle(function, types, Linker.Option.captureCallState("errno"));
  }

  /// {@return the descriptor of a new `epoll`}
  int epollCreate() throws IOException {
    try {
      return checked("epoll_create1", (int) EPOLL_CREATE.invokeExact(state, CLOEXEC));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /// Deleting a descriptor that is not registered succeeds: the system has removed the file itself,
  /// because it was closed.
  ///
  /// @param operation one of the constants above
  /// @param event an `epoll_event`
  void epollControl(int epoll, int operation, int descriptor, MemorySegment event)
      throws IOException {
    try {
      int n = (int) EPOLL_CTL.invokeExact(state, epoll, operation, descriptor, event);
      if (n < 0 && !(operation == EPOLL_CTL_DEL && isNotThere(errno()))) {
        throw failure("epoll_ctl");
      }
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private static boolean isNotThere(int errno) {
    return errno == ENOENT || errno == EBADF;
  }

  /// {@return whether [#epollWait] blocks to the nanosecond}
  boolean countsNanos() {
    return COUNTS_NANOS;
  }

  /// Blocks until something is ready.
  ///
  /// @param events where to put the events
  /// @param nanos how long at most, rounded down to milliseconds unless [#countsNanos()]; 0 not at
  ///   all, -1 forever
  /// @return how many events there are; [#INTERRUPTED]
  int epollWait(int epoll, MemorySegment events, int most, long nanos) throws IOException {
    try {
      int n;
      if (nanos > 0 && COUNTS_NANOS) {
        n = epollWaitNanos(epoll, events, most, nanos);
      } else {
        n = (int) EPOLL_WAIT.invokeExact(state, epoll, events, most, millis(nanos));
      }
      return n < 0 && errno() == EINTR ? INTERRUPTED : checked("epoll_wait", n);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private static int millis(long nanos) {
    return nanos < 0 ? -1 : (int) Math.min(nanos / NANOS_PER_MILLI, Integer.MAX_VALUE);
  }

  private int epollWaitNanos(int epoll, MemorySegment events, int most, long nanos)
      throws Throwable {
    timeout.set(SIZE, 0, nanos / NANOS_PER_SECOND);
    timeout.set(SIZE, Long.BYTES, nanos % NANOS_PER_SECOND);
    return (int)
        requireNonNull(EPOLL_PWAIT2)
            .invokeExact(state, epoll, events, most, timeout, MemorySegment.NULL);
  }

  /// Asks the system for an invalid wait: the error shows whether the function exists.
  private boolean knowsEpollPwait2() {
    try {
      return epollWaitNanos(-1, polled, 1, 1) < 0 && errno() == EBADF;
    } catch (Throwable e) {
      throw new AssertionError(e); // it throws none
    }
  }

  /// {@return the descriptor of a new counter, which `epoll` can wait for}
  int eventCounter() throws IOException {
    try {
      return checked("eventfd", (int) EVENTFD.invokeExact(state, 0, CLOEXEC | EFD_NONBLOCK));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /// Reads from a non-blocking descriptor.
  void read(int descriptor, MemorySegment bytes) throws IOException {
    try {
      long n = (long) READ.invokeExact(state, descriptor, bytes, bytes.byteSize());
      if (n < 0 && errno() != EAGAIN) {
        throw failure("read");
      }
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /// Writes to a non-blocking descriptor.
  void write(int descriptor, MemorySegment bytes) throws IOException {
    try {
      long n = (long) WRITE.invokeExact(state, descriptor, bytes, bytes.byteSize());
      if (n < 0 && errno() != EAGAIN) {
        throw failure("write");
      }
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /// Receives from a non-blocking socket.
  ///
  /// @param bytes where to, with room for at least one
  /// @return how many; 0 at the end of the stream; [#AGAIN] if there are none yet; [#RESET]
  int receive(int socket, MemorySegment bytes) throws IOException {
    try {
      long n;
      do {
        n = (long) RECV.invokeExact(state, socket, bytes, bytes.byteSize(), 0);
      } while (n < 0 && errno() == EINTR);
      return n < 0 && errno() == ECONNRESET ? RESET : transferred(n);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /// Sends on a non-blocking socket.
  ///
  /// @return how many bytes; [#AGAIN] if the system takes none now
  int send(int socket, MemorySegment bytes) throws IOException {
    try {
      long n;
      do {
        n = (long) SEND.invokeExact(state, socket, bytes, bytes.byteSize(), MSG_NOSIGNAL);
      } while (n < 0 && errno() == EINTR);
      return transferred(n);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private int transferred(long n) throws IOException {
    if (n >= 0) {
      return (int) n;
    } else if (errno() == EAGAIN) {
      return AGAIN;
    } else {
      throw new IOException(
          switch (errno()) {
            case EPIPE -> "Broken pipe"; // not translated: IoErrors recognizes these texts
            case ECONNRESET -> "Connection reset by peer";
            default -> text(errno());
          });
    }
  }

  /// {@return whether a descriptor is open, and ready for an event or broken} Never blocks.
  boolean isReady(int descriptor, short event) throws IOException {
    polled.set(INT, 0, descriptor);
    polled.set(ValueLayout.JAVA_SHORT, Integer.BYTES, event);
    try {
      int n = (int) POLL.invokeExact(state, polled, 1L, 0);
      return checked("poll", n) > 0
          && (polled.get(ValueLayout.JAVA_SHORT, REVENTS_OFFSET) & POLLNVAL) == 0;
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  void close(int descriptor) throws IOException {
    try {
      int _ = checked("close", (int) CLOSE.invokeExact(state, descriptor));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private int errno() {
    return (int) ERRNO.get(state, 0L);
  }

  private int checked(String function, int result) throws IOException {
    if (result < 0) {
      throw failure(function);
    }
    return result;
  }

  private IOException failure(String function) {
    return new IOException(function + ": " + text(errno()));
  }

  /// The system's text for an error.
  @SuppressWarnings("restricted")
  private String text(int errno) {
    try {
      var text = (MemorySegment) STRERROR.invokeExact(state, errno);
      return text.reinterpret(LONGEST_TEXT_BYTES).getString(0);
    } catch (Throwable e) {
      throw new AssertionError(e); // it throws none
    }
  }

  /// Throws the failure of a method handle, by its type.
  private static IOException thrown(Throwable e) {
    return switch (e) {
      case IOException known -> known;
      case RuntimeException known -> throw known;
      case Error known -> throw known;
      default -> throw new AssertionError(e);
    };
  }
}
