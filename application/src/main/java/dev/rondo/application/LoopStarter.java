package dev.rondo.application;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Starts further loops of a program without a thread for each. The idle strategy of a scheduler
/// may implement this interface. The idle strategy of a simulated host does: all loops of the host
/// run on the thread of the world, in an order that the seed determines.
///
/// Confined to the thread of the scheduler.
public interface LoopStarter {

  /// Starts an application on a loop of its own. The application ends in order when main has ended;
  /// if main has failed, the other tasks are cancelled. Never a suspension point.
  ///
  /// @param name of the loop, shown in dumps
  /// @param settings of the application
  /// @param main runs as a task
  /// @param whenEnded receives the failure of main, or null, when the application is closed
  /// @return an action that closes the application, at once
  Runnable start(
      String name,
      ApplicationBuilder settings,
      Application.Main main,
      Consumer<? super @Nullable Throwable> whenEnded);
}
