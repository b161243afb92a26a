package dev.rondo.observe.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.OpenChannel;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Gives a tool access to one scheduler of the process, from any thread, one page of tasks at a
/// time. See [#all()].
///
/// The loop answers a question on its own thread, between two turns. An answer takes a few hundred
/// microseconds at most, for any number of tasks, if the descriptions of events are short. The
/// asking thread does the rest of the work. If a turn does not end, the loop does not answer and
/// the result is empty; [#noAnswer()] then describes that turn. The result is also empty if the
/// loop is closed.
///
/// Any thread. No method is a suspension point.
public final class LoopMonitor {

  /// It takes about a microsecond to describe a task without its stack.
  private static final int TASKS_PER_PAGE = 256;

  /// Most tasks wait for no other task.
  private static final int WAITS_PER_PAGE = 1_024;

  /// It takes about a microsecond to describe a channel.
  private static final int CHANNELS_PER_PAGE = 256;

  private final LoopView view;

  LoopMonitor(LoopView view) {
    this.view = view;
  }

  /// {@return monitors of all schedulers that have access from outside, in the order they were
  /// made} Any thread. A monitor keeps its scheduler in memory, but not open.
  public static List<LoopMonitor> all() {
    return AllLoops.list().stream().map(LoopMonitor::new).toList();
  }

  /// {@return the scheduler} Call its methods on its own thread, unless they allow any thread.
  public Scheduler scheduler() {
    return view.scheduler();
  }

  /// {@return a number that no other scheduler of this process has}
  public long number() {
    return view.number();
  }

  /// {@return the name of the thread that runs it}
  public String name() {
    return view.thread().getName();
  }

  /// {@return the name of the coroutine backend}
  public String backend() {
    return view.backend().name();
  }

  /// {@return whether it is closed}
  public boolean isClosed() {
    return view.state().isClosed();
  }

  /// {@return the number of tasks that were scheduled and have not ended, add-ons included: a
  /// recent number}
  public int taskCount() {
    return view.state().alive();
  }

  /// {@return the number of tasks that are ready, the running one included: a recent number}
  public int readyCount() {
    return view.state().ready();
  }

  /// {@return the number of turns that tasks have had: a recent number}
  public long turnCount() {
    return view.turnCount();
  }

  /// {@return the reason why the loop does not answer: whose turn it is, and since when, with the
  /// stack, one line for each frame}
  public String noAnswer() {
    return LoopQuestion.noAnswer(view);
  }

  /// Runs code on the scheduler's thread, between two turns.
  ///
  /// @param <T> the type of the answer
  /// @param code short; must not suspend
  /// @param patience how long to wait for the answer, at least zero. An interrupt of the calling
  ///   thread ends the wait, and the thread stays interrupted
  /// @return empty if there was no answer in time, or the scheduler is closed; empty at once if the
  ///   scheduler's thread has ended
  /// @throws IllegalArgumentException if the patience is negative
  /// @throws IllegalStateException if the code failed, with its failure as the cause
  public <T> Optional<T> ask(Supplier<T> code, Duration patience) {
    requireNonNull(code, "code is null");
    long nanos = Durations.nanos(patience, "patience");
    if (view.isCaller()) {
      return Optional.of(LoopQuestion.answerHere(code));
    }
    @Nullable T answer = LoopQuestion.ask(view, code).await(nanos);
    return Optional.ofNullable(answer);
  }

  /// Looks at up to 256 of the tasks that were scheduled and have not ended. All pages together
  /// have each task that lives throughout exactly once, in no particular order. A page that is not
  /// the last may be empty, where many tasks in a row have ended.
  ///
  /// @param from 0, or [LoopPage#next()] of the page before, or the slot of a row
  /// @param wanted selects tasks by their descriptions, without stacks; runs on the scheduler's
  ///   thread
  /// @param patience see [#ask]
  /// @return descriptions of them, without their stacks; empty as [#ask] says
  /// @throws IllegalArgumentException if `from` or the patience is negative
  public Optional<LoopPage<LoopPage.Row>> tasks(
      int from, Predicate<? super TaskInfo> wanted, Duration patience) {
    requireNonNull(wanted, "wanted is null");
    requireSlot(from);
    int toMake = from == 0 ? taskCount() : 0; // tasks that come meanwhile need not be there
    for (boolean more = true; more && toMake > TASKS_PER_PAGE; toMake -= TASKS_PER_PAGE) {
      Optional<Boolean> answer = ask(() -> view.makeTasks(TASKS_PER_PAGE), patience);
      if (answer.isEmpty()) {
        return Optional.empty();
      }
      more = answer.get();
    }
    return ask(() -> page(from, wanted), patience);
  }

  private LoopPage<LoopPage.Row> page(int from, Predicate<? super TaskInfo> wanted) {
    if (from == 0) {
      boolean _ = view.makeTasks(TASKS_PER_PAGE);
    }
    var found = new ArrayList<LoopPage.Row>();
    var visited = new int[1];
    int next =
        view.visitSlots(
            from,
            TASKS_PER_PAGE,
            (slot, task) -> {
              visited[0]++;
              TaskInfo info = view.describeBriefly(task);
              if (wanted.test(info)) {
                found.add(new LoopPage.Row(slot, info));
              }
            });
    return new LoopPage<>(found, visited[0], next);
  }

  /// Looks at one task, with its stack.
  ///
  /// @param slot the slot of its [LoopPage.Row], at least zero
  /// @param id the number of the task; if the slot has another task, the result is empty
  /// @param patience see [#ask]
  /// @return its description; empty if the task has ended, and as [#ask] says
  /// @throws IllegalArgumentException if the slot or the patience is negative
  public Optional<TaskInfo> task(int slot, long id, Duration patience) {
    requireSlot(slot);
    return ask(() -> taskAt(slot, id), patience).flatMap(found -> found);
  }

  private Optional<TaskInfo> taskAt(int slot, long id) {
    var found = new ArrayList<TaskInfo>(1);
    int _ =
        view.visitSlots(
            slot,
            1,
            (at, task) -> {
              if (task.id() == id) {
                found.add(view.describe(task));
              }
            });
    return found.stream().findFirst();
  }

  /// Looks at some tasks, up to 1,024, for waits that other tasks must end.
  ///
  /// @param from 0, or [LoopPage#next()] of the page before
  /// @param patience see [#ask]
  /// @return the waits of these tasks for others; empty as [#ask] says
  /// @throws IllegalArgumentException if `from` or the patience is negative
  public Optional<LoopPage<TaskWait>> waits(int from, Duration patience) {
    requireSlot(from);
    return ask(() -> waitsFrom(from), patience);
  }

  private LoopPage<TaskWait> waitsFrom(int from) {
    var found = new ArrayList<TaskWait>();
    var visited = new int[1];
    int next =
        view.visitTasks(
            from,
            WAITS_PER_PAGE,
            task -> {
              visited[0]++;
              TaskWait wait = view.heldWait(task);
              if (wait != null) {
                found.add(wait);
              }
            });
    return new LoopPage<>(found, visited[0], next);
  }

  /// {@return the number of sockets, listeners and pipes that the add-ons have open: a recent
  /// number}
  public int channelCount() {
    return view.openChannels().count();
  }

  /// Looks at some of the sockets, listeners and pipes that the add-ons have open. All pages
  /// together have each channel that is open throughout exactly once, in no particular order. A
  /// page that is not the last may be empty, where many channels in a row have been closed.
  ///
  /// @param from 0, or [LoopPage#next()] of the page before
  /// @param most the most channels to look at, at least one; no page has more than 256
  /// @param patience see [#ask]
  /// @return some of them; empty as [#ask] says
  /// @throws IllegalArgumentException if `from` or the patience is negative, or `most` less than
  ///   one
  public Optional<LoopPage<OpenChannel>> channels(int from, int most, Duration patience) {
    requireSlot(from);
    if (most < 1) {
      throw new IllegalArgumentException("most must be at least one: most=" + most);
    }
    return ask(() -> channelsFrom(from, Math.min(most, CHANNELS_PER_PAGE)), patience);
  }

  private LoopPage<OpenChannel> channelsFrom(int from, int most) {
    var found = new ArrayList<OpenChannel>();
    int next = view.openChannels().visit(from, most, (place, channel) -> found.add(channel));
    return new LoopPage<>(found, found.size(), next);
  }

  private static void requireSlot(int from) {
    if (from < 0) {
      throw new IllegalArgumentException("a slot is at least 0: slot=" + from);
    }
  }

  /// {@return the name of its thread, and its number}
  @Override
  public String toString() {
    return "loop %d '%s'".formatted(number(), ReportText.escaped(name()));
  }
}
