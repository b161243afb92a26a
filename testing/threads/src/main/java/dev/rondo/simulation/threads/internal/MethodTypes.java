package dev.rondo.simulation.threads.internal;

import dev.rondo.application.internal.FreshClassLoader;
import dev.rondo.simulation.threads.hook.Hook;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// The table in which the JDK keeps the types of methods. It is asked whenever code is linked, for
/// each lambda and each call by reflection, and must answer with the same object for equal types.
/// With equal identity hash codes all types with as many parameters are in one place of it.
final class MethodTypes {

  /// The types of loaders that load classes again. A class, because a lambda would be linked.
  private static final class Numbers implements ToIntFunction<ClassLoader> {
    @Override
    public int applyAsInt(ClassLoader loader) {
      return loader instanceof FreshClassLoader fresh ? fresh.number() : 0;
    }
  }

  private MethodTypes() {}

  /// Changes the hash codes of the types, and enters the present types under their new ones.
  ///
  /// No other thread may link code meanwhile, so this is for the start of the JVM. Nor does this
  /// between the change and the end: a type that is not found would be made for a second time.
  ///
  /// @throws ReflectiveOperationException if this JDK keeps them in another way
  static void rehash(Instrumentation jvm) throws ReflectiveOperationException {
    Set<Object> table = table();
    Map<?, ?> entries = entries(table);
    Hook.number(new Numbers());
    try {
      jvm.retransformClasses(MethodType.class);
    } catch (UnmodifiableClassException e) {
      throw new ReflectiveOperationException(e);
    }
    for (Object each : entries.keySet().toArray()) {
      Object known = ((Reference<?>) each).get();
      if (known != null) {
        boolean _ = table.add(known);
      }
    }
  }

  /// {@return the types that are in the table}
  static List<MethodType> known() throws ReflectiveOperationException {
    var known = new ArrayList<MethodType>();
    for (Object each : entries(table()).keySet()) {
      if (((Reference<?>) each).get() instanceof MethodType type) {
        known.add(type);
      }
    }
    return known;
  }

  @SuppressWarnings("unchecked")
  private static Set<Object> table() throws ReflectiveOperationException {
    return (Set<Object>) valueOf(MethodType.class, "internTable", null);
  }

  /// {@return what the table consists of, by weak references}
  private static Map<?, ?> entries(Set<?> table) throws ReflectiveOperationException {
    Object map = valueOf(table.getClass(), "map", table);
    return (Map<?, ?>) valueOf(map.getClass(), "map", map);
  }

  private static Object valueOf(Class<?> type, String field, @Nullable Object of)
      throws ReflectiveOperationException {
    Field found = type.getDeclaredField(field);
    found.setAccessible(true);
    return found.get(of);
  }
}
