package dev.rondo.scheduler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Takes a dump of all tasks.
///
/// On the scheduler's own thread it shows one moment. From another thread the loop is asked for a
/// slice of tasks at a time, and the asking thread does the writing: so no dump, however large and
/// however slow to write, holds the loop up for longer than a slice takes, and nobody ever holds
/// more than one slice. Each slice shows a moment of its own. A task keeps its slot as long as it
/// lives, so one that lives meanwhile is shown just once.
final class TaskDump {

  /// What one slice costs the loop is about a millisecond: a stack costs some ten microseconds.
  private static final int TASKS_PER_SLICE = 64;

  /// What a dump begins with.
  record Head(String thread, String backend, boolean closed, int alive, int ready) {

    /// Any thread: as far as it can see.
    static Head of(Loop loop) {
      int ready = loop.tasks.readyCount() - (loop.runningTask() == null ? 0 : 1);
      return new Head(
          loop.loopThread.thread().getName(), loop.backend.name(), false, loop.tasks.size(), ready);
    }

    static Head ofClosed(Loop loop) {
      return new Head(loop.loopThread.thread().getName(), loop.backend.name(), true, 0, 0);
    }
  }

  /// Some tasks, and the slot to go on from; none if these were the last.
  record Slice(Head head, List<TaskInfo> tasks, int nextSlot) {

    static Slice from(Loop loop, int firstSlot) {
      var tasks = new ArrayList<TaskInfo>(TASKS_PER_SLICE);
      int slot = loop.tasks.nextTaskSlot(firstSlot);
      while (slot != TaskTable.NONE && tasks.size() < TASKS_PER_SLICE) {
        tasks.add(TaskInfo.of(loop.tasks.taskAt(slot), loop.roundNanos));
        slot = loop.tasks.nextTaskSlot(slot + 1);
      }
      return new Slice(Head.of(loop), tasks, slot);
    }
  }

  /// Asks the loop for a slice.
  private static final class Request extends Inbox.Entry {

    private final CompletableFuture<Slice> answer = new CompletableFuture<>();
    private final Loop loop;
    private final int firstSlot;

    Request(Loop loop, int firstSlot) {
      this.loop = loop;
      this.firstSlot = firstSlot;
    }

    @Override
    void deliver() {
      if (answer.isDone()) {
        return; // nobody waits for it any more
      }
      try {
        answer.complete(Slice.from(loop, firstSlot));
      } catch (Throwable e) {
        answer.completeExceptionally(e); // it must not end the loop
      }
    }
  }

  private final Loop loop;
  private final long patienceNanos;

  private TaskDump(Loop loop, long patienceNanos) {
    this.loop = loop;
    this.patienceNanos = patienceNanos;
  }

  /// Any thread.
  static void write(Loop loop, DumpWriter writer, long patienceNanos) throws IOException {
    if (loop.loopThread.isCaller()) {
      writeHere(loop, writer);
    } else {
      new TaskDump(loop, patienceNanos).writeElsewhere(writer);
    }
  }

  private static void writeHere(Loop loop, DumpWriter writer) throws IOException {
    writer.begin(loop.isClosing() && loop.tasks.size() == 0 ? Head.ofClosed(loop) : Head.of(loop));
    int slot = loop.tasks.nextTaskSlot(0);
    while (slot != TaskTable.NONE) {
      writer.task(TaskInfo.of(loop.tasks.taskAt(slot), loop.roundNanos));
      slot = loop.tasks.nextTaskSlot(slot + 1);
    }
    writer.end();
  }

  private void writeElsewhere(DumpWriter writer) throws IOException {
    boolean begun = false;
    int slot = 0;
    while (slot != TaskTable.NONE) {
      var request = new Request(loop, slot);
      boolean closed = !loop.inbox.post(request);
      Slice slice = closed ? null : await(request);
      if (!begun) {
        begun = true;
        writer.begin(headOf(slice, closed));
      }
      if (closed) {
        break;
      }
      if (slice == null) {
        writer.noAnswer(LoopSnapshot.of(loop));
        return;
      }
      for (TaskInfo task : slice.tasks()) {
        writer.task(task);
      }
      slot = slice.nextSlot();
    }
    writer.end();
  }

  private Head headOf(@Nullable Slice slice, boolean closed) {
    if (slice != null) {
      return slice.head();
    }
    return closed ? Head.ofClosed(loop) : Head.of(loop);
  }

  /// The answer; null if there was none.
  private @Nullable Slice await(Request request) {
    try {
      return request.answer.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return request.answer.cancel(false) ? null : request.answer.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      request.answer.cancel(false);
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the dump failed on the loop", e.getCause());
    }
  }
}
