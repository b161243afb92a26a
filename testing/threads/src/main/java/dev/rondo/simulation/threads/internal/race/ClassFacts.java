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
  /// @param locking names and types of synchronized methods
  /// @param methods names and types of all other methods
  private record Facts(
      String parent,
      Set<String> finals,
      Set<String> others,
      Set<String> locking,
      Set<String> methods) {

    static Facts of(ClassModel model) {
      return new Facts(
          model.superclass().map(each -> each.asInternalName()).orElse(""),
          fields(model, true),
          fields(model, false),
          methods(model, true),
          methods(model, false));
    }

    private static Set<String> fields(ClassModel model, boolean areFinal) {
      return model.fields().stream()
          .filter(each -> each.flags().has(AccessFlag.FINAL) == areFinal)
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
    for (Facts each = of(loader, type); each != null; each = of(loader, each.parent)) {
      if (each.finals.contains(field) || each.others.contains(field)) {
        return each.finals.contains(field);
      }
    }
    return false;
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
