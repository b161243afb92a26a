package dev.rondo.io.internal.channel;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Addresses as text, without looking up names.
public final class Addresses {

  private Addresses() {}

  /// {@return the text of an address: `127.0.0.1:8080` or `[::1]:8080`}
  ///
  /// @param address may be unresolved
  public static String text(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    if (ip == null) {
      return address.getHostString() + ":" + address.getPort();
    }
    String host = ip.getHostAddress();
    return (ip instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
