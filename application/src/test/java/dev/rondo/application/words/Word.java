package dev.rondo.application.words;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A word that waits: a row of the table.
///
/// @param text the words of a program
/// @param opener makes the thing that it waits for, so that it waits for ever
/// @param methods the methods for which it stands
record Word(String text, Opener opener, List<String> methods) {

  /// Makes a case, in a task.
  interface Opener {
    Case open(World world) throws Exception;
  }

  /// Closes the thing that a task waits for.
  interface Closing {
    void close(Task<?> waiting) throws Exception;
  }

  /// One wait of a word, with what belongs to it.
  ///
  /// @param call waits for ever
  /// @param closing closes the thing that it waits for; null if that cannot be closed
  /// @param event the same wait as an event; null if there is none
  /// @param eventText the words of a program for the event
  /// @param begun returns when the wait has begun, also outside of the scheduler
  /// @param settled returns when the effects of a disturbance outside of the scheduler are over
  record Case(
      TaskCall<?, ?> call,
      @Nullable Closing closing,
      @Nullable Waitable<?> event,
      String eventText,
      TaskAction<?> begun,
      TaskAction<?> settled) {

    static Case of(TaskCall<?, ?> call) {
      return new Case(call, null, null, "", () -> {}, () -> {});
    }

    static Case doing(TaskAction<?> action) {
      return of(() -> {
        action.run();
        return "returned";
      });
    }

    Case closedBy(TaskAction<?> close) {
      return closedFor(task -> close.run());
    }

    Case closedFor(Closing close) {
      return new Case(call, close, event, eventText, begun, settled);
    }

    Case selectable(String said, Waitable<?> same) {
      return new Case(call, closing, same, said, begun, settled);
    }

    Case begunAfter(TaskAction<?> waiting) {
      return new Case(call, closing, event, eventText, waiting, settled);
    }

    Case settledAfter(TaskAction<?> waiting) {
      return new Case(call, closing, event, eventText, begun, waiting);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
