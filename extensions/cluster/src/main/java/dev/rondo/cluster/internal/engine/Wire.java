package dev.rondo.cluster.internal.engine;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The versions of the messages between members that a node speaks: the oldest, the newest, and
/// those between. Each member states its own. Two members speak the newest version that both have;
/// members that have none in common are not joined.
///
/// | version | since | is |
/// |---|---|---|
/// | 1 | 0.1.0 | the bytes of a [Frame], and its heads and packs in messages of JGroups |
///
/// A release that adds a version speaks the one before, too, so that nodes are upgraded one by one.
///
/// @param oldest at least 1
/// @param newest at least the oldest
public record Wire(int oldest, int newest) {

  /// Of this release.
  public static final Wire OURS = new Wire(1, 1);

  private static final String TO = " to ";
  private static final Pattern STATED = Pattern.compile("([0-9]{1,4})(?:" + TO + "([0-9]{1,4}))?");

  public Wire {
    if (oldest < 1 || newest < oldest) {
      throw new IllegalArgumentException(
          "versions begin with 1, and with the oldest: " + oldest + TO + newest);
    }
  }

  /// {@return what a member states by [#toString]; empty if that is none}
  public static Optional<Wire> of(String stated) {
    Matcher matcher = STATED.matcher(stated);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int oldest = Integer.parseInt(matcher.group(1));
    int newest = matcher.group(2) == null ? oldest : Integer.parseInt(matcher.group(2));
    return oldest < 1 || newest < oldest ? Optional.empty() : Optional.of(new Wire(oldest, newest));
  }

  /// {@return the newest version that both speak; empty if there is none}
  ///
  /// @param stated by the other member
  public OptionalInt common(String stated) {
    return of(stated)
        .filter(other -> Math.max(oldest, other.oldest) <= Math.min(newest, other.newest))
        .map(other -> OptionalInt.of(Math.min(newest, other.newest)))
        .orElse(OptionalInt.empty());
  }

  boolean has(int version) {
    return version >= oldest && version <= newest;
  }

  @Override
  public String toString() {
    return oldest == newest ? "" + newest : oldest + TO + newest;
  }
}
