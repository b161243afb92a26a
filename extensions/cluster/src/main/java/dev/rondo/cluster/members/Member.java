package dev.rondo.cluster.members;

import static java.util.Objects.requireNonNull;

/// A member of a cluster.
///
/// @param name the name of its node, unique among the members
/// @param id differs each time a node joins
public record Member(String name, String id) {

  /// Makes one.
  public Member {
    requireNonNull(name, "name is null");
    requireNonNull(id, "id is null");
  }

  @Override
  public String toString() {
    return name;
  }
}
