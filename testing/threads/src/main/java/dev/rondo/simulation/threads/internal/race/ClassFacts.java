package dev.rondo.simulation.threads.internal.race;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Facts from the class files of a program on fields and methods that others use. Nothing is loaded
/// for that.
///
/// Any thread.
public final class ClassFacts {

  /// One class.
  ///
  /// @param parent its superclass, with slashes; empty if there is none
  /// @param finals names of final fields
  /// @param others names of all other fields
  /// @param volatiles names of volatile fields
  /// @param locking names and types of synchronized methods
  /// @param methods names and types of all other methods
  private record Facts(
      String parent,
      Set<String> finals,
      Set<String> others,
      Set<String> volatiles,
      Set<String> locking,
      Set<String> methods) {

    static Facts of(ClassModel model) {
      return new Facts(
          model.superclass().map(each -> each.asInternalName()).orElse(""),
          fields(model, AccessFlag.FINAL, true),
          fields(model, AccessFlag.FINAL, false),
          fields(model, AccessFlag.VOLATILE, true),
          methods(model, true),
          methods(model, false));
    }

    boolean has(String field) {
      return finals.contains(field) || others.contains(field);
    }

    private static Set<String> fields(ClassModel model, AccessFlag flag, boolean have) {
      return model.fields().stream()
          .filter(each -> each.flags().has(flag) == have)
          .map(each -> each.fieldName().stringValue())
          .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> methods(ClassModel model, boolean lock) {
      return model.methods().stream()
          .filter(each -> each.flags().has(AccessFlag.SYNCHRONIZED) == lock)
          .map(each -> each.methodName().stringValue() + each.methodType().stringValue())
          .collect(Collectors.toUnmodifiableSet());
    }
  }

  /// Knows none.
  public ClassFacts() {}

  /// By the name, with slashes; empty if there is no class file.
  private final Map<String, Optional<Facts>> known = new ConcurrentHashMap<>();

  /// A class is being changed.
  public void add(ClassModel model) {
    known.put(model.thisClass().asInternalName(), Optional.of(Facts.of(model)));
  }

  /// {@return whether a field is final} Also of a superclass; not if that is not known.
  ///
  /// @param type with slashes, as code names it
  public boolean isFinal(@Nullable ClassLoader loader, String type, String field) {
    Facts facts = having(loader, type, field);
    return facts != null && facts.finals.contains(field);
  }

  /// {@return whether a field is volatile} As [#isFinal].
  ///
  /// @param type with slashes, as code names it
  public boolean isVolatile(@Nullable ClassLoader loader, String type, String field) {
    Facts facts = having(loader, type, field);
    return facts != null && facts.volatiles.contains(field);
  }

  /// {@return the class that has a field, which code may name by a subclass; that one if it is not
  /// known} With slashes.
  public String owner(@Nullable ClassLoader loader, String type, String field) {
    String owner = type;
    for (Facts each = of(loader, type); each != null; each = of(loader, each.parent)) {
      if (each.has(field)) {
        return owner;
      }
      owner = each.parent;
    }
    return type;
  }

  private @Nullable Facts having(@Nullable ClassLoader loader, String type, String field) {
    Facts facts = of(loader, type);
    while (facts != null && !facts.has(field)) {
      facts = of(loader, facts.parent);
    }
    return facts;
  }

  /// {@return whether a method is synchronized} Also of a superclass; not if that is not known.
  ///
  /// @param type with slashes, as code names it
  /// @param method its name and type
  public boolean locks(@Nullable ClassLoader loader, String type, String method) {
    for (Facts each = of(loader, type); each != null; each = of(loader, each.parent)) {
      if (each.locking.contains(method) || each.methods.contains(method)) {
        return each.locking.contains(method);
      }
    }
    return false;
  }

  private @Nullable Facts of(@Nullable ClassLoader loader, String type) {
    return known.computeIfAbsent(type, _ -> read(loader, type)).orElse(null);
  }

  private static Optional<Facts> read(@Nullable ClassLoader loader, String type) {
    String name = type + ".class";
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(name)
            : loader.getResourceAsStream(name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(Facts.of(ClassFile.of().parse(in.readAllBytes())));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
