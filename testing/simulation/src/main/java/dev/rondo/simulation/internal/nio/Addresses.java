package dev.rondo.simulation.internal.nio;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/// Checks of addresses that programs give.
final class Addresses {

  private Addresses() {}

  /// {@return an address to bind to}
  ///
  /// @param wanted null for any free port of every address
  static InetSocketAddress toBind(@Nullable SocketAddress wanted) {
    return wanted == null ? new InetSocketAddress(0) : resolved(wanted);
  }

  /// {@return the address of a peer; this host, if it is the wildcard}
  static InetSocketAddress ofPeer(SocketAddress wanted) {
    InetSocketAddress address = resolved(requireNonNull(wanted));
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
        : address;
  }

  /// {@return the address of a Unix socket}
  static UnixDomainSocketAddress unix(SocketAddress wanted) {
    if (requireNonNull(wanted) instanceof UnixDomainSocketAddress address) {
      return address;
    }
    throw new UnsupportedAddressTypeException();
  }

  private static InetSocketAddress resolved(SocketAddress wanted) {
    if (!(wanted instanceof InetSocketAddress address)) {
      throw new UnsupportedAddressTypeException();
    }
    if (address.isUnresolved()) {
      throw new UnresolvedAddressException();
    }
    return address;
  }
}
