package dev.rondo.simulation.threads.hook;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImplFactory;
import java.net.UnknownHostException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// What rewritten code calls for sockets, channels and names: a simulated thread has those of the
/// simulated network.
public final class NetworkHook {

  private NetworkHook() {}

  /// {@return what makes the sockets of a program}
  ///
  /// @param real what was set in the JDK; null if nothing was
  public static @Nullable SocketImplFactory socketFactory(@Nullable SocketImplFactory real) {
    Program own = Hook.current();
    return own == null ? real : own.socketFactory(false);
  }

  /// {@return what makes the listening sockets of a program}
  ///
  /// @param real what was set in the JDK; null if nothing was
  public static @Nullable SocketImplFactory serverSocketFactory(@Nullable SocketImplFactory real) {
    Program own = Hook.current();
    return own == null ? real : own.socketFactory(true);
  }

  /// {@return a socket for datagrams; null if the JDK makes it}
  ///
  /// @param local where it is bound; null for nowhere yet, and the JDK has a value of its own for a
  ///   socket that does nothing itself
  /// @param type `DatagramSocket` or `MulticastSocket`
  public static @Nullable DatagramSocket datagramSocket(
      @Nullable SocketAddress local, Class<?> type) throws IOException {
    Program own = Hook.current();
    boolean made =
        local == null || !local.getClass().getName().startsWith("java.net.DatagramSocket");
    return own == null || !made ? null : own.datagramSocket(local, type);
  }

  /// {@return the addresses of a name; null if the JDK looks it up}
  ///
  /// @throws UnknownHostException if there is no such name in the simulated network
  public static InetAddress @Nullable [] addresses(String name) throws UnknownHostException {
    Program own = Hook.current();
    return own == null ? null : own.addresses(name);
  }

  /// {@return the name of an address; null if the JDK looks it up}
  public static @Nullable String nameOf(InetAddress address) {
    Program own = Hook.current();
    return own == null ? null : own.nameOf(address);
  }

  /// {@return the address of the host; null if the caller is not simulated}
  public static @Nullable InetAddress localHost() {
    Program own = Hook.current();
    return own == null ? null : own.localHost();
  }

  /// {@return what opens channels}
  ///
  /// @param real that of the JDK
  public static SelectorProvider provider(SelectorProvider real) {
    Program own = Hook.current();
    return own == null ? real : own.provider();
  }

  /// {@return what opens asynchronous channels; null if the caller is not simulated}
  public static @Nullable AsynchronousChannelProvider asynchronous() {
    Program own = Hook.current();
    return own == null ? null : own.asynchronous();
  }

  /// {@return what calls the handlers of an asynchronous channel}
  ///
  /// @param given by the program; null for what the JDK has
  public static @Nullable ExecutorService handlers(@Nullable ExecutorService given) {
    Program own = Hook.current();
    return own == null || given != null ? given : own.handlers();
  }

  /// {@return whether `HttpURLConnection` keeps a connection} Not those of a program: the JDK has
  /// one cache for all of them.
  ///
  /// @param real what the JDK does
  public static boolean keepsConnections(boolean real) {
    return real && Hook.current() == null;
  }
}
