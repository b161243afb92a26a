package dev.rondo.cluster.members;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/// The members of a cluster at one time, as one of them sees them.
///
/// @param self the member that sees them
/// @param all the members, the one that has been there longest first; all that see the same members
///   have them in the same order
public record Members(Member self, List<Member> all) {

  /// Makes one.
  public Members {
    requireNonNull(self, "self is null");
    all = List.copyOf(all);
  }

  /// {@return the member of that name; empty if there is none}
  ///
  /// @param name of its node
  public Optional<Member> find(String name) {
    requireNonNull(name, "name is null");
    return all.stream().filter(member -> member.name().equals(name)).findFirst();
  }
}
