package dev.rondo.scheduler.model;

import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A task of the [Model].
final class Member {

  /// How a task suspended, which determines what it sees at its next turn.
  enum Way {
    FIRST_TURN,
    YIELD,
    HALT,
    SUSPEND,
    AWAIT,
    IN_GROUP
  }

  /// A source that tasks wait for.
  static final class Source {
    final List<Wait> waits = new ArrayList<>();
  }

  /// One wait for one source; a choice has several.
  ///
  /// @param prefix put before what the source delivers
  record Wait(Member member, Source source, String prefix) {}

  /// An open group.
  static final class Group {
    final Member owner;
    final TaskGroup.Policy policy;
    final List<Member> live = new ArrayList<>();
    final Source lastChildEnded = new Source();
    boolean cancelled;
    boolean failed;
    boolean won;

    /// Whether the owner waits for the children in any case, because its block is over.
    boolean blockIsOver;

    /// Whether there were children then, whose end the owner awaits whatever comes.
    boolean cleansUp;

    /// Whether that is because the owner is cancelled.
    boolean ownerWasTold;

    Group(Member owner, TaskGroup.Policy policy) {
      this.owner = owner;
      this.policy = policy;
    }
  }

  final int number;
  final boolean stackless;
  final Source end = new Source();
  TaskState state = TaskState.NEW;
  Way way = Way.FIRST_TURN;
  boolean entered;
  boolean cancelled;

  /// What it will receive; null if nothing.
  @Nullable String handed;

  /// How it ended, as a join reports it.
  String outcome = "";

  @Nullable Group home;
  @Nullable Group owned;

  Member(int number, boolean stackless) {
    this.number = number;
    this.stackless = stackless;
  }

  String take() {
    String taken = handed;
    handed = null;
    return taken == null ? "null" : taken;
  }

  /// Whether a cancellation ends it outside of a turn.
  boolean endsAtOnce() {
    return !entered || stackless;
  }

  /// Whether its next suspension point delivers a cancellation.
  boolean isToBeTold() {
    Group group = owned;
    if (group == null) {
      return cancelled;
    }
    return !group.blockIsOver && (cancelled || group.cancelled);
  }
}
