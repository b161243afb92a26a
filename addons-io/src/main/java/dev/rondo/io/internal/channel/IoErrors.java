package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.ReportText;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns failures of the operating system into the exceptions that a program catches, with the
/// operation in the message.
///
/// Some of these exceptions are types of the exported package, which creates them in a subclass.
public abstract class IoErrors {

  /// Creates the only instance of a subclass.
  protected IoErrors() {}

  /// {@return the exception for a failure, with the failure as its cause}
  ///
  /// @param operation what was tried and on what; its text begins the message
  /// @param e as the JDK throws it
  public final IOException of(Object operation, IOException e) {
    String message = operation + ": " + reason(e);
    IOException translated =
        switch (e) {
          case ConnectException refused -> new ConnectException(message);
          case NoRouteToHostException unreachable -> new NoRouteToHostException(message);
          case PortUnreachableException unreachable -> new PortUnreachableException(message);
          case BindException inUse -> new BindException(message);
          default ->
              isReset(e)
                  ? reset(message, e)
                  : e instanceof SocketException
                      ? new SocketException(message, e)
                      : new IOException(message, e);
        };
    if (translated.getCause() == null) {
      translated.initCause(e);
    }
    return translated;
  }

  /// Makes a call with a limit. A *possible* suspension point.
  ///
  /// @param <T> what the call returns
  /// @param scheduler of the calling task
  /// @param limit more than zero; null for none
  /// @param operation named by the exception
  /// @param call may suspend
  /// @return what the call returns
  /// @throws IOException what the call throws
  /// @throws TimedOutException if the limit is reached, or what the call throws
  public static <T extends @Nullable Object> T within(
      Scheduler scheduler,
      @Nullable Duration limit,
      Supplier<String> operation,
      TaskCall<T, IOException> call)
      throws IOException {
    if (limit == null) {
      return call.call();
    }
    try {
      return scheduler.within(limit, call);
    } catch (TimedOutException e) {
      if (!(e.getCause() instanceof TaskCancelled)) {
        throw e; // another limit, within the call
      }
      var timedOut = new TimedOutException(limit, operation.get());
      timedOut.initCause(e);
      throw timedOut;
    }
  }

  /// {@return whether a failure means that the peer broke the connection} The JDK reports this by
  /// text only: in its own words if a read fails, in the system's words if a write fails (see
  /// [SystemErrors]).
  static boolean isReset(IOException e) {
    if (e.getCause() instanceof IOException cause && isReset(cause)) {
      return true; // wrapped by a layer in between
    }
    String text = reason(e);
    return text.equals("Connection reset")
        || text.equals("Broken pipe")
        || text.equals("Connection reset by peer")
        || (e.getClass() == IOException.class && SystemErrors.ofResets().contains(text));
  }

  /// {@return whether a failure is the end of the connection, but not the end of the peer's stream}
  /// If the peer has ended its stream before and is gone, a write fails by a broken pipe: the
  /// peer's stream is whole.
  static boolean isBreak(IOException e) {
    if (e.getCause() instanceof IOException cause) {
      return isBreak(cause); // wrapped by a layer in between
    }
    String text = reason(e);
    return text.equals("Connection timed out")
        || text.startsWith("Connection reset")
        || (isReset(e) && !isBrokenPipe(e, text));
  }

  private static boolean isBrokenPipe(IOException e, String text) {
    return text.equals("Broken pipe")
        || (e.getClass() == IOException.class && SystemErrors.ofBrokenPipes().contains(text));
  }

  private static String reason(IOException e) {
    if (e.getMessage() != null) {
      return e.getMessage();
    }
    return e instanceof PortUnreachableException
        ? "the peer's system reports that nothing receives there"
        : e.getClass().getSimpleName();
  }

  /// {@return a limit for waits}
  ///
  /// @param timeout more than zero; null for none
  /// @throws IllegalArgumentException if `timeout` is zero or negative
  public static @Nullable Duration requirePositive(@Nullable Duration timeout) {
    if (timeout != null && !timeout.isPositive()) {
      throw new IllegalArgumentException(
          "timeout must be more than zero, or null for none: timeout="
              + ReportText.duration(timeout));
    }
    return timeout;
  }

  /// Adds the progress of a write to the exception that ended it.
  ///
  /// @param e the exception that is thrown
  /// @param operation what was tried and on what
  /// @param bytesWritten how many bytes the system has taken
  /// @param bytesLeft how many bytes it has not
  public final void addProgress(Throwable e, Object operation, long bytesWritten, long bytesLeft) {
    IOException progress = partialWrite(operation.toString(), bytesWritten, bytesLeft);
    if (e instanceof TaskCancelled cancelled) {
      cancelled.addDetail(progress);
    } else {
      e.addSuppressed(progress);
    }
  }

  /// {@return the exception for a channel that this side has closed}
  ///
  /// @param message what was tried and on what
  public abstract ClosedChannelException closed(String message);

  /// {@return the exception for a connection that the peer broke}
  ///
  /// @param message what was tried and on what
  /// @param cause as the JDK throws it
  protected abstract SocketException reset(String message, IOException cause);

  /// {@return the exception for a stream that ends too early}
  ///
  /// @param message what was tried and on what
  /// @param bytesRead how many bytes were there
  protected abstract EOFException endOfStream(String message, int bytesRead);

  /// {@return the exception for a message without its delimiter}
  ///
  /// @param message what was tried and on what
  protected abstract IOException delimiterNotFound(String message);

  /// {@return the progress of a failed write, to be attached to its exception}
  ///
  /// @param operation what was tried and on what
  /// @param bytesWritten how many bytes the system has taken
  /// @param bytesLeft how many bytes it has not
  protected abstract IOException partialWrite(String operation, long bytesWritten, long bytesLeft);
}
