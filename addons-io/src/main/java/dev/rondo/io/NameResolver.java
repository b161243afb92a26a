package dev.rondo.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Where names and addresses are looked up. The default asks the operating system, which reads
/// `/etc/hosts` and the like. Its methods block, and are called on several threads.
public interface NameResolver {

  /// {@return the addresses of a host, the preferred ones first; at least one}
  ///
  /// @param host not numeric
  /// @throws UnknownHostException if there is no such host
  List<InetAddress> addresses(String host) throws UnknownHostException;

  /// {@return the name of an address}
  ///
  /// @param address any
  /// @throws UnknownHostException if it has none
  String name(InetAddress address) throws UnknownHostException;

  /// {@return the operating system's}
  static NameResolver system() {
    return SystemNameResolver.INSTANCE;
  }
}
