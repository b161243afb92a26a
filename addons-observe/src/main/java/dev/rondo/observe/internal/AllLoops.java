package dev.rondo.observe.internal;

import dev.rondo.observe.DumpFormat;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The loops of this process that have access from outside. Any thread.
public final class AllLoops {

  private static final long PATIENCE_NANOS = 2_000_000_000;

  /// In the order they were made. Each returns null when its scheduler is gone without having been
  /// closed.
  private static final List<Supplier<@Nullable LoopView>> OPEN = new CopyOnWriteArrayList<>();

  private AllLoops() {}

  static void add(Supplier<@Nullable LoopView> loop) {
    OPEN.removeIf(each -> each.get() == null);
    OPEN.add(loop);
  }

  static void remove(Supplier<@Nullable LoopView> loop) {
    OPEN.remove(loop);
  }

  /// {@return the open loops}
  public static List<LoopView> list() {
    return OPEN.stream().map(Supplier::get).filter(Objects::nonNull).toList();
  }

  /// Writes a dump of every loop.
  public static void dump(DumpFormat format, Appendable out) throws IOException {
    String separator = "";
    out.append(format == DumpFormat.JSON ? "{\"loops\":[" : "");
    for (LoopView each : list()) {
      out.append(separator);
      TaskDump.write(each, DumpWriter.of(format, out), PATIENCE_NANOS);
      separator = format == DumpFormat.JSON ? "," : "";
    }
    out.append(format == DumpFormat.JSON ? "]}" : "");
  }
}
