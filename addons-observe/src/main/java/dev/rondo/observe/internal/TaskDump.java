package dev.rondo.observe.internal;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Dumps all tasks.
///
/// A dump asks for one slice of the tasks at a time, so it never holds more than one slice. On the
/// scheduler's own thread it shows one moment. From another thread each slice is a request that the
/// loop answers between two turns. The requesting thread does the writing, so a large dump or a
/// slow writer holds the loop up for one slice at most. Each slice shows a moment of its own, but a
/// task that lives throughout the dump appears exactly once.
public final class TaskDump {

  /// Limits a slice's cost for the loop to about a millisecond: a stack costs some ten
  /// microseconds.
  private static final int TASKS_PER_SLICE = 64;

  private static final int FIRST_SLOT = 0;

  /// The head of a dump.
  ///
  /// @param addOns their descriptions; none if the loop has not been asked
  record Head(
      String thread,
      String backend,
      boolean isClosed,
      int alive,
      int ready,
      List<AddOnInfo> addOns) {

    /// Any thread, see [LoopView#state()].
    ///
    /// @return the head; its `ready` does not count the running task
    static Head of(LoopView loop) {
      LoopView.State state = loop.state();
      int ready = state.running() == null ? state.ready() : state.ready() - 1;
      return of(loop, state.isClosed(), state.alive(), ready);
    }

    /// [#of(LoopView)] with the add-ons. On the scheduler's thread.
    static Head withAddOns(LoopView loop) {
      Head plain = of(loop);
      return new Head(
          plain.thread,
          plain.backend,
          plain.isClosed,
          plain.alive,
          plain.ready,
          plain.isClosed ? List.of() : loop.addOns());
    }

    static Head ofClosed(LoopView loop) {
      return of(loop, true, 0, 0);
    }

    private static Head of(LoopView loop, boolean closed, int alive, int ready) {
      return new Head(
          loop.thread().getName(), loop.backend().name(), closed, alive, ready, List.of());
    }
  }

  /// Some tasks, and the slot where the next slice begins.
  ///
  /// @param head of the first slice; null in all others
  private record Slice(@Nullable Head head, List<TaskInfo> tasks, int nextSlot) {

    /// The slice before the first, while there are tasks to be made.
    static final Slice NOT_YET = new Slice(null, List.of(), FIRST_SLOT);

    static Slice of(LoopView loop, int firstSlot) {
      Head head = firstSlot == FIRST_SLOT ? Head.withAddOns(loop) : null;
      var tasks = new ArrayList<TaskInfo>(TASKS_PER_SLICE);
      int next =
          loop.visitTasks(firstSlot, TASKS_PER_SLICE, task -> tasks.add(loop.describe(task)));
      return new Slice(head, tasks, next);
    }

    /// @return where the next slice begins
    int writeTo(DumpWriter writer) throws IOException {
      if (head != null) {
        writer.begin(head);
      }
      for (TaskInfo task : tasks) {
        writer.task(task);
      }
      return nextSlot;
    }
  }

  private final LoopView loop;
  private final DumpWriter writer;
  private final long patienceNanos;

  private TaskDump(LoopView loop, DumpWriter writer, long patienceNanos) {
    this.loop = loop;
    this.writer = writer;
    this.patienceNanos = patienceNanos;
  }

  /// Writes a dump. Any thread.
  ///
  /// @param patienceNanos how long to wait for each answer of the loop
  public static void write(LoopView loop, DumpWriter writer, long patienceNanos)
      throws IOException {
    var dump = new TaskDump(loop, writer, patienceNanos);
    if (loop.isCaller()) {
      dump.writeHere();
    } else {
      dump.writeElsewhere();
    }
  }

  private void writeHere() throws IOException {
    boolean _ = loop.makeTasks(Integer.MAX_VALUE);
    int slot = FIRST_SLOT;
    while (slot != LoopView.NO_MORE) {
      slot = Slice.of(loop, slot).writeTo(writer);
    }
    writer.end();
  }

  private void writeElsewhere() throws IOException {
    int slot = FIRST_SLOT;
    int toMake = loop.state().alive(); // tasks that come meanwhile need not be there
    while (slot != LoopView.NO_MORE) {
      int first = slot;
      boolean patient = first == FIRST_SLOT && toMake > TASKS_PER_SLICE;
      var question =
          LoopQuestion.ask(
              loop,
              () ->
                  first == FIRST_SLOT && loop.makeTasks(TASKS_PER_SLICE) && patient
                      ? Slice.NOT_YET
                      : Slice.of(loop, first));
      toMake -= TASKS_PER_SLICE;
      Slice slice = question.await(patienceNanos);
      if (slice == null) {
        writeEnd(first == FIRST_SLOT, question.isRefused());
        return;
      }
      slot = slice.writeTo(writer);
    }
    writer.end();
  }

  /// Ends the dump if the loop is closed or does not answer.
  private void writeEnd(boolean begins, boolean closed) throws IOException {
    if (begins) {
      writer.begin(closed ? Head.ofClosed(loop) : Head.of(loop));
    }
    if (closed) {
      writer.end();
    } else {
      writer.noAnswer(LoopSnapshot.of(loop));
    }
  }
}
