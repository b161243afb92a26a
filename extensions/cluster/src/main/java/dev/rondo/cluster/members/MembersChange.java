package dev.rondo.cluster.members;

import static java.util.Objects.requireNonNull;

import java.util.List;

/// A change of the members.
///
/// @param before the members until now
/// @param now the members from now on
public record MembersChange(Members before, Members now) {

  /// Makes one.
  public MembersChange {
    requireNonNull(before, "before is null");
    requireNonNull(now, "now is null");
  }

  /// {@return the members that are new}
  public List<Member> joined() {
    return now.all().stream().filter(member -> !before.all().contains(member)).toList();
  }

  /// {@return the members that have left, have failed, or cannot be reached any more}
  public List<Member> left() {
    return before.all().stream().filter(member -> !now.all().contains(member)).toList();
  }
}
