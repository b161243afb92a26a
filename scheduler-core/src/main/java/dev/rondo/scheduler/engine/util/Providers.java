package dev.rondo.scheduler.engine.util;

import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Loads the providers of other jars for a type of this module.
public final class Providers {

  private Providers() {}

  /// {@return the providers of a type}
  ///
  /// @throws IllegalStateException if a provider cannot be loaded; the message names it
  public static <S> List<S> of(Class<S> service) {
    try {
      return ServiceLoader.load(service, service.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new IllegalStateException(
          "a jar on the path provides a %s that cannot be loaded (%s): remove that jar, or use the version that fits this one of Rondo"
              .formatted(service.getName(), e.getMessage()),
          e);
    }
  }
}
