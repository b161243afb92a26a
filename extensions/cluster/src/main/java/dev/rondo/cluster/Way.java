package dev.rondo.cluster;

import dev.rondo.cluster.members.Member;
import dev.rondo.cluster.members.Members;
import dev.rondo.condition.Cell;
import org.jspecify.annotations.Nullable;

/// The way to a mailbox of a node, which is looked up again when the members have changed.
///
/// Confined to the scheduler's thread.
final class Way {

  private final PostOffice office;
  private final Cell<Members> members;
  private final Member here;
  private final String node;
  private final String name;
  private @Nullable Members seen;
  private @Nullable SendWindow window;

  /// Makes one.
  ///
  /// @param here this member, joined or not
  /// @param node the name of the other, or of this one
  /// @param name of the mailbox
  Way(PostOffice office, Cell<Members> members, Member here, String node, String name) {
    this.office = office;
    this.members = members;
    this.here = here;
    this.node = node;
    this.name = name;
  }

  /// Returns the window of what is sent to it; null if there is no such member.
  @Nullable SendWindow window() {
    Members now = members.get();
    if (seen != now) {
      seen = now;
      Member member = node.equals(here.name()) ? here : now.find(node).orElse(null);
      window = member == null ? null : office.window(new PostOffice.Route(member, name, false));
    }
    return window;
  }

  @Override
  public String toString() {
    return "mailbox '" + name + "' of '" + node + "'";
  }
}
