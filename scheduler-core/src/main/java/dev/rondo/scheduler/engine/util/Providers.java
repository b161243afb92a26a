package dev.rondo.scheduler.engine.util;

import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Loads what other jars provide for a type of this module.
public final class Providers {

  private Providers() {}

  /// {@return what is provided for a type}
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
