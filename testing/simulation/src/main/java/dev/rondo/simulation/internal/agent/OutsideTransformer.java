package dev.rondo.simulation.internal.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Rewrites the calls of a [CallTable] in the classes of programs and their libraries.
///
/// Any thread.
public final class OutsideTransformer implements ClassFileTransformer {

  /// Rondo itself, whose clocks and threads are under the control of a world, and what writes logs.
  private static final List<String> SPARED =
      List.of("dev.rondo.", "org.slf4j.", "ch.qos.logback.", "org.apache.logging.");

  private final CallTable table;

  /// @param table which calls, and what they become
  public OutsideTransformer(CallTable table) {
    this.table = table;
  }

  /// {@return whether calls of a class are rewritten}
  public static boolean concerns(Class<?> type) {
    return !type.isArray()
        && !type.isHidden()
        && concerns(type.getModule(), type.getClassLoader(), type.getName());
  }

  private static boolean concerns(
      @Nullable Module module, @Nullable ClassLoader loader, String name) {
    if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
      return false;
    }
    String in = module == null || !module.isNamed() ? "" : module.getName();
    return !in.startsWith("jdk.")
        && !in.startsWith("java.")
        && SPARED.stream().noneMatch(name::startsWith);
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (name == null || !concerns(module, loader, name.replace('/', '.'))) {
      return null;
    }
    try {
      return CallRewriter.rewrite(table, bytes, redefined == null, loader);
    } catch (RuntimeException | LinkageError e) {
      // the JVM would drop it
      LoggerFactory.getLogger(OutsideTransformer.class)
          .warn("calls of {} that leave a simulation are not seen", name, e);
      return null;
    }
  }
}
