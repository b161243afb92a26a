package dev.rondo.scheduler;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Asks waitables, and other things of a user's, what they are and who holds them. What goes wrong
/// in there becomes a part of the report, and must not replace it.
final class WaitDescriptions {

  private WaitDescriptions() {}

  static String describe(Object thing) {
    try {
      return String.valueOf(thing.toString());
    } catch (Throwable e) {
      return thing.getClass().getName() + threw("toString()", e);
    }
  }

  /// Name of the one task that must act first.
  static @Nullable String holderName(Waitable<?> waitable) {
    try {
      Task<?> holder = waitable.holder();
      return holder == null ? null : holder.name();
    } catch (Throwable e) {
      return threw("holder()", e);
    }
  }

  private static String threw(String call, Throwable e) {
    return " (its " + call + " threw " + e.getClass().getName() + ")"; // getMessage() may throw too
  }

  /// Names each task that could end a wait, with the part of it that it could end: of a choice
  /// there may be several, and at the end of a group.
  static void eachHolder(Waitable<?> waitable, BiConsumer<Waitable<?>, Task<?>> action) {
    switch (waitable) {
      case Composite.Mapped<?, ?> mapped -> eachHolder(mapped.inner(), action);
      case Composite.Choice<?> choice -> {
        for (Waitable<?> part : choice.parts()) {
          eachHolder(part, action);
        }
      }
      case GroupChildren<?> children ->
          children.left().forEach(child -> action.accept(waitable, child));
      default -> {
        Task<?> holder;
        try {
          holder = waitable.holder();
        } catch (Throwable e) {
          return; // told by holderName
        }
        if (holder != null) {
          action.accept(waitable, holder);
        }
      }
    }
  }
}
