package dev.rondo.micrometer;

import com.google.common.collect.Sets;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tells which meters a thread has added to a registry. To register a meter results in one that is
/// there already if it has the same name and tags, and only the registry's listener tells these
/// apart. A registry keeps its listeners, so each has one of this kind.
///
/// Any thread.
final class AddedMeters {

  private static final Map<MeterRegistry, AddedMeters> OF_REGISTRIES =
      Collections.synchronizedMap(new WeakHashMap<>());

  /// Of the thread; empty while it does not register a meter.
  private static final ThreadLocal<@Nullable Slot> SLOTS = new ThreadLocal<>();

  /// What was added to one registry: a meter may have others as its parts, and a listener may
  /// derive others from it. Not what a call of [#during(Supplier)] within this one adds.
  private static final class Slot {
    private final AddedMeters owner;
    private final Set<Meter> added = Sets.newIdentityHashSet(); // meters with the same id are equal

    Slot(AddedMeters owner) {
      this.owner = owner;
    }
  }

  private AddedMeters(MeterRegistry registry) {
    registry.config().onMeterAdded(this::added);
  }

  static AddedMeters of(MeterRegistry registry) {
    return OF_REGISTRIES.computeIfAbsent(registry, AddedMeters::new);
  }

  /// {@return the meters that a registry has now, compared by identity} A meter that was added may
  /// have been replaced by one with the same id, which a listener has added meanwhile, or the other
  /// way round: a registry calls its listeners before it keeps the meter.
  static Set<Meter> present(MeterRegistry registry) {
    Set<Meter> present = Sets.newIdentityHashSet();
    present.addAll(registry.getMeters());
    return present;
  }

  private void added(Meter meter) {
    Slot slot = SLOTS.get();
    if (slot != null && slot.owner == this) {
      slot.added.add(meter);
    }
  }

  /// {@return the meter that a call which registers one has added; null if it was there already, or
  /// a filter has denied it}
  @Nullable Meter during(Supplier<? extends Meter> registering) {
    var slot = new Slot(this);
    Slot outer = SLOTS.get();
    SLOTS.set(slot);
    try {
      Meter meter = registering.get();
      return slot.added.contains(meter) ? meter : null;
    } finally {
      if (outer == null) {
        SLOTS.remove();
      } else {
        SLOTS.set(outer);
      }
    }
  }
}
