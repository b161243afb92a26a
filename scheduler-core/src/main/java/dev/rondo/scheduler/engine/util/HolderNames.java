package dev.rondo.scheduler.engine.util;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import org.jspecify.annotations.Nullable;

/// Names the holders of waits, for reports.
public final class HolderNames {

  private HolderNames() {}

  /// {@return the name of the one task that must act before an event can come; null if there is
  /// none} If [Waitable#holder()] throws, the text says so.
  public static @Nullable String of(Waitable<?> awaited) {
    try {
      Task<?> holder = awaited.holder();
      return holder == null ? null : holder.name();
    } catch (Throwable e) {
      return WaitDescriptions.threw("holder()", e);
    }
  }
}
