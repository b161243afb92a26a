package dev.rondo.netty;

import dev.rondo.io.ConnectionResetException;
import io.netty.channel.ChannelException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Turns failures of Netty into the exceptions that a program catches.
final class NettyFailures {

  private NettyFailures() {}

  /// @param tried the operation that failed, and its channel
  /// @param cause as Netty reports it
  static Throwable of(String tried, Throwable cause) {
    if (cause instanceof ClosedChannelException) {
      return new ConnectionResetException(tried + ": the peer has closed the channel", cause);
    }
    return cause instanceof IOException broken && isReset(broken)
        ? new ConnectionResetException(tried + ": " + cause.getMessage(), cause)
        : cause;
  }

  /// The failure of a message that was to be sent.
  ///
  /// @param tried the operation that failed, and its channel
  /// @param cause as Netty reports it
  /// @param earlier the failure because of which this side has closed the channel; null for none
  static Throwable ofSend(String tried, Throwable cause, @Nullable Throwable earlier) {
    if (earlier == null || !(cause instanceof ClosedChannelException)) {
      return of(tried, cause);
    }
    String why = earlier.getMessage();
    return new ConnectionResetException(
        "%s: this side has closed the channel: %s".formatted(tried, why == null ? earlier : why),
        earlier);
  }

  /// @param address of the peer, which not every transport names
  /// @param cause as Netty reports it
  static Throwable ofConnect(SocketAddress address, Throwable cause) {
    if (cause instanceof ChannelException broken) {
      return unmade("connect to " + address, broken);
    }
    if (cause instanceof ConnectException
        && !String.valueOf(cause.getMessage()).contains("" + address)) {
      var named = new ConnectException("connect to %s: %s".formatted(address, cause.getMessage()));
      named.initCause(cause);
      return named;
    }
    return cause;
  }

  /// {@return the failure of a channel that could not be made, for want of descriptors for
  /// instance} Netty's own exception is unchecked.
  ///
  /// @param tried the operation that failed, and its channel
  /// @param cause as Netty reports it
  static IOException unmade(String tried, ChannelException cause) {
    Throwable system = cause;
    while (!(system instanceof IOException) && system.getCause() != null) {
      system = system.getCause();
    }
    return new IOException(tried + ": " + system.getMessage(), cause);
  }

  /// Only the text of the exception says so.
  private static boolean isReset(IOException e) {
    String text = String.valueOf(e.getMessage());
    return text.contains("Connection reset") || text.contains("Broken pipe");
  }

  /// Never returns; `throw thrown(e)` tells the compiler so.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <X extends Throwable> RuntimeException thrown(Throwable failure) throws X {
    throw (X) failure;
  }
}
