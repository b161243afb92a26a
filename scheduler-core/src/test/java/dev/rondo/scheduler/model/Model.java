package dev.rondo.scheduler.model;

import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.model.Member.Group;
import dev.rondo.scheduler.model.Member.Source;
import dev.rondo.scheduler.model.Member.Wait;
import dev.rondo.scheduler.model.Member.Way;
import dev.rondo.scheduler.model.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The rules of docs/inside/semantics.md on order, values, waiting, cancelling and groups, in plain
/// lists: no rings, no slots, no shared wakeups, nothing deferred.
///
/// It receives each operation and returns what the real scheduler must return. When a task goes on
/// it returns which task, and what the task sees. Values are strings: a failure begins with `!`,
/// and a task that receives its cancellation sees [#TOLD].
final class Model {

  static final int EVENTS = 3;
  static final String TOLD = "!told";
  static final String OWN_END = "!own end";
  static final String FAILED = "!failed";
  static final String CANCELLED = "!cancelled";

  private static final int MOST_TASKS = 250;

  private final List<Member> members = new ArrayList<>();
  private final List<Source> events =
      IntStream.range(0, EVENTS).mapToObj(i -> new Source()).toList();

  /// Without the running task.
  private final List<Member> ready = new ArrayList<>();

  private @Nullable Member running;

  /// What the running task sees at a suspension point where it does not suspend.
  private String atOnce = "";

  /// How many turns there may be before the driver has control again.
  private long turns;

  private boolean started;
  private int serial;

  // The subjects of operations.

  /// {@return the operation with the numbers of tasks, events and values in it}
  Operation resolve(Operation asked) {
    int first = asked.first();
    int second = asked.second();
    Operation look = new Operation(Kind.LOOK, 0, 0);
    Member target = pick(first);
    Member other = pick(second);
    boolean full = members.size() > MOST_TASKS;
    return switch (kind(asked.kind())) {
      case SPAWN, NEW -> full ? look : with(asked, first % 4 == 0 ? 1 : 0, 0);
      case CROWD -> full ? look : with(asked, first % EVENTS, 15 + second % 8);
      case GROUP -> full ? look : with(asked, first % Operation.POLICIES.size(), second % 4);
      case SCHEDULE, NEXT, UNSCHEDULE, CANCEL ->
          target == null ? look : with(asked, target.number, 0);
      case SCHEDULE_VALUE, NEXT_VALUE ->
          target == null ? look : with(asked, target.number, ++serial);
      case AFTER ->
          target == null || other == null ? look : with(asked, target.number, other.number);
      case ON -> {
        // An owner that another task lets wait for a failing source is outside of this model.
        boolean possible = target != null && target.owned == null && source(second) != target.end;
        yield possible && target != null ? with(asked, target.number, index(second)) : look;
      }
      case FIRE_FIRST, FIRE_ALL, FIRE_ALL_NEXT, FAIL_ALL -> with(asked, first % EVENTS, ++serial);
      case AWAIT -> with(asked, index(first), 0);
      case SELECT ->
          index(first) == index(second)
              ? with(new Operation(Kind.AWAIT, 0, 0), index(first), 0)
              : with(asked, index(first), index(second));
      case STOP, LOOK, WATCH, END, FAIL, SUSPEND -> with(asked, 0, 0);
      case YIELD, HALT -> with(new Operation(kind(asked.kind()), 0, 0), 0, 0);
    };
  }

  private static Operation with(Operation asked, int first, int second) {
    return new Operation(asked.kind(), first, second);
  }

  /// A task without a stack can neither halt nor own a group.
  private Kind kind(Kind asked) {
    boolean needsStack = asked == Kind.HALT || asked == Kind.GROUP;
    return needsStack && running != null && running.stackless ? Kind.YIELD : asked;
  }

  /// Mostly a task that has not ended.
  private @Nullable Member pick(int number) {
    List<Member> among =
        number % 8 == 0 ? members : members.stream().filter(each -> !each.state.isDone()).toList();
    return among.isEmpty() ? null : among.get(number / 8 % among.size());
  }

  /// Events have the lowest numbers, the ends of tasks the others.
  private int index(int number) {
    int choice = number % (EVENTS + 2);
    Member joined = choice < EVENTS ? null : pick(number / (EVENTS + 2));
    return joined == null ? number % EVENTS : EVENTS + joined.number;
  }

  private Source source(int number) {
    return sourceAt(index(number));
  }

  private Source sourceAt(int index) {
    return index < EVENTS ? events.get(index) : members.get(index - EVENTS).end;
  }

  // Operations that do not suspend.

  /// {@return what the real scheduler must return}
  String perform(Operation operation) {
    int first = operation.first();
    int second = operation.second();
    return switch (operation.kind()) {
      case SPAWN -> {
        makeReady(newMember(first == 1), ready.size());
        yield "";
      }
      case NEW -> {
        newMember(first == 1);
        yield "";
      }
      case SCHEDULE -> "" + schedule(members.get(first), null, ready.size());
      case SCHEDULE_VALUE -> "" + schedule(members.get(first), "v" + second, ready.size());
      case NEXT -> "" + schedule(members.get(first), null, 0);
      case NEXT_VALUE -> "" + schedule(members.get(first), "v" + second, 0);
      case AFTER -> "" + scheduleAfter(members.get(first), members.get(second));
      case ON -> "" + scheduleOn(members.get(first), sourceAt(second));
      case UNSCHEDULE -> "" + unschedule(members.get(first));
      case CANCEL -> "" + cancel(members.get(first));
      case FIRE_FIRST -> "" + fireFirst(events.get(first), "e" + second);
      case FIRE_ALL -> "" + fireAll(events.get(first), "e" + second, false);
      case FIRE_ALL_NEXT -> "" + fireAll(events.get(first), "e" + second, true);
      case FAIL_ALL -> "" + fireAll(events.get(first), "!e" + second, false);
      case CROWD -> {
        for (int i = 0; i < second; i++) {
          scheduleOn(newMember(false), events.get(first));
        }
        yield "";
      }
      case STOP -> {
        turns = started ? 0 : turns;
        yield "";
      }
      case LOOK, WATCH -> look();
      case YIELD, HALT, SUSPEND, AWAIT, SELECT, GROUP, END, FAIL ->
          throw new IllegalArgumentException(operation + " gives way");
    };
  }

  private Member newMember(boolean stackless) {
    var member = new Member(members.size(), stackless);
    members.add(member);
    return member;
  }

  private void makeReady(Member member, int place) {
    member.state = TaskState.READY;
    ready.add(place, member);
  }

  private boolean isOutOfCirculation(Member member) {
    return member != running
        && (member.state == TaskState.NEW
            || member.state == TaskState.WAITING
            || member.state == TaskState.SUSPENDED);
  }

  private boolean schedule(Member member, @Nullable String value, int place) {
    if (!isOutOfCirculation(member)
        || keepsWaiting(member)
        || (value != null && (member.handed != null || member.isToBeTold()))) {
      return false;
    }
    leave(member);
    if (value != null) {
      member.handed = value;
    }
    makeReady(member, place);
    return true;
  }

  /// Whether it waits for the tasks of its group, which it must not leave behind.
  private static boolean keepsWaiting(Member member) {
    return member.owned != null && member.state == TaskState.WAITING;
  }

  private boolean scheduleAfter(Member member, Member anchor) {
    int place = ready.indexOf(anchor) + 1;
    return (anchor == running || place > 0) && schedule(member, null, place);
  }

  private boolean scheduleOn(Member member, Source source) {
    List<Wait> present = waits(member);
    boolean waitsForIt = present.size() == 1 && present.getFirst().equals(wait(member, source));
    if (member == running
        || member.state.isDone()
        || keepsWaiting(member)
        || member.isToBeTold()
        || member.handed != null
        || waitsForIt) {
      return false;
    }
    leave(member);
    String there = outcomeOf(source);
    if (there != null) {
      member.handed = there;
      makeReady(member, ready.size());
    } else {
      source.waits.add(wait(member, source));
      member.state = TaskState.WAITING;
    }
    return true;
  }

  private static Wait wait(Member member, Source source) {
    return new Wait(member, source, "");
  }

  private List<Wait> waits(Member member) {
    var found = new ArrayList<Wait>();
    events.forEach(event -> found.addAll(event.waits));
    members.forEach(each -> found.addAll(each.end.waits));
    found.removeIf(wait -> wait.member() != member);
    return found;
  }

  /// What a join returns without waiting: how the task ended.
  private @Nullable String outcomeOf(Source source) {
    return members.stream()
        .filter(each -> each.end == source && each.state.isDone())
        .map(each -> each.outcome)
        .findFirst()
        .orElse(null);
  }

  private boolean unschedule(Member member) {
    if ((member.state != TaskState.READY && member.state != TaskState.WAITING)
        || keepsWaiting(member)) {
      return false;
    }
    leave(member);
    member.state = TaskState.SUSPENDED;
    return true;
  }

  /// Removes it from the queue, or from what it waits for.
  private void leave(Member member) {
    ready.remove(member);
    waits(member).forEach(wait -> wait.source().waits.remove(wait));
    if (member.owned != null) {
      member.owned.lastChildEnded.waits.clear();
    }
  }

  // Waking.

  private boolean fireFirst(Source source, String value) {
    if (source.waits.isEmpty()) {
      return false;
    }
    wake(source.waits.getFirst(), value, ready.size());
    return true;
  }

  private int fireAll(Source source, String value, boolean next) {
    List<Wait> waiting = List.copyOf(source.waits);
    for (int i = 0; i < waiting.size(); i++) {
      wake(waiting.get(i), value, next ? i : ready.size());
    }
    return waiting.size();
  }

  private void wake(Wait wait, String value, int place) {
    leave(wait.member());
    wait.member().handed = value.startsWith("!") ? value : wait.prefix() + value;
    makeReady(wait.member(), place);
  }

  // Cancelling and ending.

  private boolean cancel(Member member) {
    if (member.state.isDone() || member.cancelled) {
      return false;
    }
    member.cancelled = true;
    if (member == running) {
      return true;
    }
    if (member.endsAtOnce()) {
      leave(member);
      finish(member, TaskState.CANCELLED);
    } else {
      applyCancel(member);
    }
    return true;
  }

  private void applyCancel(Member member) {
    if (member.isToBeTold() && isOutOfCirculation(member)) {
      leave(member);
      if (member.handed == null) {
        member.handed = TOLD;
      }
      makeReady(member, ready.size());
    }
  }

  private void finish(Member member, TaskState how) {
    member.state = how;
    member.handed = null;
    member.outcome =
        switch (how) {
          case SUCCEEDED -> "v" + member.number;
          case FAILED -> FAILED;
          case CANCELLED -> CANCELLED;
          default -> throw new IllegalArgumentException("no end: " + how);
        };
    fireAll(member.end, member.outcome, false);
    Group home = member.home;
    if (home != null) {
      childEnded(home, member);
    }
  }

  private void childEnded(Group group, Member child) {
    group.live.remove(child);
    TaskGroup.Policy policy = group.policy;
    if (child.state == TaskState.SUCCEEDED && policy == TaskGroup.Policy.FIRST_SUCCESS) {
      group.won = true;
      cancelAll(group);
    } else if (child.state == TaskState.FAILED && policy != TaskGroup.Policy.SUPERVISE) {
      group.failed |= !group.won;
      if (policy == TaskGroup.Policy.CANCEL_ON_FAILURE) {
        cancelAll(group);
      }
    }
    if (group.live.isEmpty()) {
      fireAll(group.lastChildEnded, "null", false);
    }
  }

  private void cancelAll(Group group) {
    if (!group.cancelled) {
      group.cancelled = true;
      if (!group.blockIsOver) {
        applyCancel(group.owner);
      }
      List<Member> youngestFirst = List.copyOf(group.live).reversed();
      youngestFirst.stream().filter(each -> !each.endsAtOnce()).forEach(this::cancel);
      youngestFirst.forEach(this::cancel);
    }
  }

  // Operations that suspend.

  /// The running task comes to a suspension point, or to its end.
  void giveWay(Operation operation) {
    Member self = self();
    boolean stays = self.stackless ? staysStackless(self, operation) : stays(self, operation);
    if (!stays) {
      running = null;
    }
  }

  private Member self() {
    Member self = running;
    if (self == null) {
      throw new IllegalStateException("no task runs");
    }
    return self;
  }

  /// The running task ends when it receives its cancellation again.
  void endTold() {
    finish(self(), TaskState.CANCELLED);
    running = null;
  }

  private boolean stays(Member self, Operation operation) {
    switch (operation.kind()) {
      case END -> finish(self, TaskState.SUCCEEDED);
      case FAIL -> finish(self, TaskState.FAILED);
      case GROUP -> {
        self.handed = null;
        return openGroup(self, Operation.POLICIES.get(operation.first()), operation.second());
      }
      default -> {
        if (self.isToBeTold()) {
          atOnce = TOLD;
          return true;
        }
        self.handed = null;
        return !goAway(self, operation);
      }
    }
    return false;
  }

  private boolean staysStackless(Member self, Operation operation) {
    self.handed = null;
    switch (operation.kind()) {
      case END -> finish(self, TaskState.SUCCEEDED);
      case FAIL -> finish(self, TaskState.FAILED);
      default -> {
        boolean cancelled = self.isToBeTold();
        if (!goAway(self, operation)) {
          finish(self, TaskState.FAILED);
        } else if (cancelled) {
          leave(self);
          finish(self, TaskState.CANCELLED);
        }
      }
    }
    return false;
  }

  /// {@return false if it would wait for itself}
  private boolean goAway(Member self, Operation operation) {
    switch (operation.kind()) {
      case YIELD -> {
        self.way = Way.YIELD;
        makeReady(self, ready.size());
      }
      case HALT -> {
        self.way = Way.HALT;
        makeReady(self, 0);
        turns = 0;
      }
      case SUSPEND -> {
        self.way = Way.SUSPEND;
        self.state = TaskState.SUSPENDED;
      }
      case AWAIT -> {
        Source source = sourceAt(operation.first());
        return await(self, List.of(wait(self, source)));
      }
      case SELECT -> {
        Source first = sourceAt(operation.first());
        Source second = sourceAt(operation.second());
        return await(self, List.of(new Wait(self, first, "0:"), new Wait(self, second, "1:")));
      }
      default -> throw new IllegalArgumentException(operation + " does not give way");
    }
    return true;
  }

  private boolean await(Member self, List<Wait> choice) {
    self.way = Way.AWAIT;
    for (Wait wait : choice) {
      if (outcomeOf(wait.source()) != null) {
        wake(wait, String.valueOf(outcomeOf(wait.source())), ready.size());
        return true;
      }
    }
    if (choice.stream().anyMatch(wait -> wait.source() == self.end)) {
      atOnce = OWN_END;
      return false;
    }
    choice.forEach(wait -> wait.source().waits.add(wait));
    self.state = TaskState.WAITING;
    return true;
  }

  // Groups.

  private boolean openGroup(Member owner, TaskGroup.Policy policy, int children) {
    var group = new Group(owner, policy);
    owner.owned = group;
    owner.way = Way.IN_GROUP;
    for (int i = 0; i < children; i++) {
      Member child = newMember(i == 2);
      child.home = group;
      group.live.add(child);
      makeReady(child, ready.size());
    }
    String seen = goOnInGroup(owner, group);
    atOnce = String.valueOf(seen);
    return seen != null;
  }

  /// Gives a turn to an owner that waits for its children.
  ///
  /// @return what it sees of the group's end; null if it goes on waiting
  private @Nullable String goOnInGroup(Member owner, Group group) {
    String got = owner.take();
    if (!group.blockIsOver) {
      boolean told = got.equals(TOLD) || (!group.live.isEmpty() && owner.isToBeTold());
      if (!told && !group.live.isEmpty()) {
        return waitForChildren(owner, group);
      }
      group.blockIsOver = true;
      group.cleansUp = !group.live.isEmpty();
      if (told && owner.cancelled) {
        group.ownerWasTold = true;
        cancelAll(group);
      }
    }
    if (!group.live.isEmpty()) {
      return waitForChildren(owner, group);
    }
    owner.owned = null;
    if (group.ownerWasTold || (group.cleansUp && owner.cancelled)) {
      return TOLD;
    }
    return group.failed && !group.won ? FAILED : "over";
  }

  private static @Nullable String waitForChildren(Member owner, Group group) {
    owner.state = TaskState.WAITING;
    group.lastChildEnded.waits.add(wait(owner, group.lastChildEnded));
    return null;
  }

  // Turns.

  /// The driver begins to drive: for one turn, or until there is a reason to end.
  void drive(boolean start) {
    started = start;
    turns = start ? Long.MAX_VALUE : 1;
  }

  /// {@return the task that goes on now, and what it sees; null if there is none}
  @Nullable String goesOn() {
    Member present = running;
    if (present != null) {
      return present.number + " sees " + atOnce;
    }
    while (turns > 0 && !ready.isEmpty()) {
      turns--;
      Member next = ready.removeFirst();
      running = next;
      next.state = TaskState.RUNNING;
      String seen = begin(next);
      if (seen != null) {
        return next.number + " sees " + seen;
      }
      running = null;
    }
    return null;
  }

  /// {@return what it sees; null if its turn shows nothing}
  private @Nullable String begin(Member next) {
    boolean first = !next.entered;
    next.entered = true;
    Group group = next.owned;
    if (next.way == Way.IN_GROUP && group != null) {
      return goOnInGroup(next, group);
    }
    if (next.stackless) {
      return next.take();
    }
    if (first && next.handed != null && next.handed.startsWith("!")) {
      finish(next, TaskState.FAILED);
      return null;
    }
    boolean looks = next.way == Way.YIELD || next.way == Way.HALT;
    if (looks && next.isToBeTold()) {
      return TOLD;
    }
    return next.take();
  }

  /// {@return how the run must end}
  String driven() {
    String more = goesOn();
    boolean ended = turns == 0 || members.stream().noneMatch(Model::isAlive);
    turns = 0;
    started = false;
    if (more != null) {
      return "not yet: " + more;
    }
    return ended ? "returned" : "deadlock";
  }

  /// {@return owners of groups that were unscheduled}
  List<Integer> ownersTakenOut() {
    return members.stream()
        .filter(each -> each.owned != null && each.state == TaskState.SUSPENDED)
        .map(each -> each.number)
        .toList();
  }

  boolean hasReady() {
    return !ready.isEmpty();
  }

  // Its state.

  private static boolean isAlive(Member member) {
    return member.state != TaskState.NEW && !member.state.isDone();
  }

  /// {@return how many are ready and how many alive}
  String counts() {
    return ready.size() + "/" + members.stream().filter(Model::isAlive).count();
  }

  String look() {
    return "ready "
        + ready.stream().map(each -> each.number).toList()
        + members.stream()
            .map(each -> " " + each.number + "=" + each.state)
            .collect(Collectors.joining());
  }
}
