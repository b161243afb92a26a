package dev.rondo.scheduler.model;

import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A task as the [Model] knows it.
final class Member {

  /// How a task gave way, which decides what it sees when its turn comes.
  enum Way {
    FIRST_TURN,
    YIELD,
    HALT,
    SUSPEND,
    AWAIT,
    IN_GROUP
  }

  /// What can be waited for.
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

    /// Whether the owner waits for the children whatever happens: its block is over.
    boolean blockIsOver;

    /// Whether that was because the owner is cancelled.
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

  /// What it will be given; null if nothing.
  @Nullable String handed;

  /// How it ended, as who joins it is told.
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

  /// Whether it is to be told at its next suspension point.
  boolean isToBeTold() {
    Group group = owned;
    if (group == null) {
      return cancelled;
    }
    return !group.blockIsOver && (cancelled || group.cancelled);
  }
}
