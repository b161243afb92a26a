package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.internal.rooms.HeldFuture;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A future that code of one loop completes, for add-ons. Any thread.
public class HostFuture<T extends @Nullable Object> extends GuardedFuture<T> {

  private final Loop loop;
  private final Supplier<String> description;
  private final String instead;

  private HostFuture(Loop loop, Supplier<String> description, String instead) {
    this.loop = loop;
    this.description = Objects.requireNonNull(description, "description is null");
    this.instead = Objects.requireNonNull(instead, "instead is null");
  }

  /// See [dev.rondo.scheduler.internal.rooms.TaskControl#newFuture].
  public static <T extends @Nullable Object> CompletableFuture<T> of(
      Loop loop,
      Supplier<String> description,
      String instead,
      @Nullable Supplier<? extends @Nullable Task<?>> holder) {
    return holder == null
        ? new HostFuture<>(loop, description, instead)
        : new Held<>(loop, description, instead, holder);
  }

  /// A future whose task becomes known at some time.
  private static final class Held<T extends @Nullable Object> extends HostFuture<T>
      implements HeldFuture {

    private final Supplier<? extends @Nullable Task<?>> holder;

    Held(
        Loop loop,
        Supplier<String> description,
        String instead,
        Supplier<? extends @Nullable Task<?>> holder) {
      super(loop, description, instead);
      this.holder = holder;
    }

    @Override
    public @Nullable Task<?> holder() {
      return holder.get();
    }
  }

  @Override
  protected final void requireMayBlock(String call) {
    TaskGets.requireMayBlock(loop, call + " of " + description.get(), instead);
  }
}
