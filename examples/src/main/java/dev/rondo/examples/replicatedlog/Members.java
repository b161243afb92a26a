package dev.rondo.examples.replicatedlog;

import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The fixed replicas of a cluster.
///
/// @param addresses the address of each replica by its number, which is at least 1
public record Members(Map<Integer, SocketAddress> addresses) {

  /// The number of no replica.
  static final int NONE = 0;

  /// @throws IllegalArgumentException if there is no replica, or a number is less than 1
  public Members {
    addresses = new TreeMap<>(addresses); // in the same order everywhere
    if (addresses.isEmpty() || addresses.keySet().iterator().next() <= NONE) {
      throw new IllegalArgumentException(
          "members need numbers of at least 1, and there must be one: " + addresses);
    }
  }

  /// {@return the number of each replica, in ascending order}
  public List<Integer> numbers() {
    return List.copyOf(addresses.keySet());
  }

  /// {@return the numbers of all other replicas}
  List<Integer> peersOf(int self) {
    return numbers().stream().filter(number -> number != self).toList();
  }

  /// {@return the address of a replica}
  ///
  /// @param number of a member
  /// @throws IllegalArgumentException if there is no such member
  public SocketAddress address(int number) {
    SocketAddress address = addresses.get(number);
    if (address == null) {
      throw new IllegalArgumentException("no member has this number: " + number);
    }
    return address;
  }

  int majority() {
    return addresses.size() / 2 + 1;
  }
}
