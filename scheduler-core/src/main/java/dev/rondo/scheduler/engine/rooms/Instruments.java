package dev.rondo.scheduler.engine.rooms;

import dev.rondo.scheduler.addon.Instrument;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The instruments that the class path provides as services.
public final class Instruments {

  /// Null before the first lookup.
  private static volatile @Nullable List<Instrument> provided;

  private Instruments() {}

  /// {@return the instruments that are provided, followed by others}
  public static List<Instrument> with(List<Instrument> others) {
    List<Instrument> found = provided;
    if (found == null) {
      found = load();
      provided = found;
    }
    var all = new ArrayList<>(found);
    all.addAll(others);
    return all;
  }

  private static List<Instrument> load() {
    try {
      return ServiceLoader.load(Instrument.class, Instrument.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new IllegalStateException(
          "a jar on the path provides a %s that cannot be loaded (%s): remove that jar, or use the version that fits this one of Rondo"
              .formatted(Instrument.class.getName(), e.getMessage()),
          e);
    }
  }
}
