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

/// Determines which meters a thread has added to a registry. Registering a meter returns an
/// existing meter if there is one with the same name and tags. Only a listener of the registry
/// distinguishes new from existing meters. A registry keeps its listeners, so each registry has
/// only one listener of this kind.
///
/// Any thread.
final class AddedMeters {

  private static final Map<MeterRegistry, AddedMeters> OF_REGISTRIES =
      Collections.synchronizedMap(new WeakHashMap<>());

  /// The slot of the thread; empty while the thread does not register a meter.
  private static final ThreadLocal<@Nullable Slot> SLOTS = new ThreadLocal<>();

  /// The meters added to one registry. A meter may have other meters as its parts, and a listener
  /// may derive other meters from it. Meters that a nested call of [#during(Supplier)] adds are not
  /// included.
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

  /// {@return the meters that a registry has now, compared by identity} A listener may meanwhile
  /// have added a meter with the same id, which replaces the added meter or is replaced by it,
  /// because a registry calls its listeners before it keeps the meter.
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

  /// {@return the meter that a registering call has added; null if the meter existed already, or a
  /// filter has denied it}
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
