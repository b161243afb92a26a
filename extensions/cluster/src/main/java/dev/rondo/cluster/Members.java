package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashSet;
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

  /// Of several members with one name, the one that has been there longest is shown.
  static List<Member> shown(List<Member> view) {
    var names = new HashSet<String>();
    var shown = new ArrayList<Member>();
    for (Member each : view) {
      if (names.add(each.name())) {
        shown.add(each);
      }
    }
    return shown;
  }

  /// {@return how many members there are}
  public int size() {
    return all.size();
  }

  /// {@return the member that has been there longest} Of a cluster in two parts, each part has one:
  /// it is no elected leader.
  Member coordinator() {
    return all.getFirst();
  }

  /// {@return the member of that name; empty if there is none}
  ///
  /// @param name of its node
  public Optional<Member> find(String name) {
    requireNonNull(name, "name is null");
    return all.stream().filter(member -> member.name().equals(name)).findFirst();
  }
}
