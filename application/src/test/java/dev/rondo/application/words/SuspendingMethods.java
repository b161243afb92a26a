package dev.rondo.application.words;

import dev.rondo.application.Application;
import dev.rondo.condition.WaitForSignal;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds the public methods that can suspend their task, and the public events. A method can
/// suspend if a path of calls leads from its code to the exit of a coroutine. A lambda counts as
/// called where it is passed to a method that runs it at once.
final class SuspendingMethods {

  private static final List<Class<?>> OF_EACH_MODULE =
      List.of(
          Scheduler.class,
          WaitForTime.class,
          WaitForSignal.class,
          WaitForIO.class,
          Application.class);

  /// Methods of Rondo that run a lambda in the calling task.
  private static final Set<String> RUN_AT_ONCE =
      Set.of(
          "run",
          "within",
          "shielded",
          "withoutScheduling",
          "perform",
          "getHere",
          "limited",
          "alone",
          "found",
          "keyOf");

  private static final Method ROOT =
      new Method("dev/rondo/scheduler/coroutine/Coroutine", "suspend", "()V");

  private static final String EVENT = "dev/rondo/scheduler/Waitable";

  private record Method(String owner, String name, String type) {}

  private final Map<String, ClassModel> classes = new TreeMap<>();
  private final Map<String, Set<String>> supertypes = new HashMap<>();
  private final Map<Method, Set<Method>> calls = new HashMap<>();
  private final Set<Method> suspending = new HashSet<>(Set.of(ROOT));

  private SuspendingMethods() {}

  /// {@return the methods, as in `Lock.lock(Duration)`}
  static SortedSet<String> find() {
    var finder = new SuspendingMethods();
    OF_EACH_MODULE.forEach(finder::read);
    finder.classes.keySet().forEach(finder::addSupertypes);
    finder.classes.values().forEach(finder::addCalls);
    finder.close();
    return finder.publicOnes();
  }

  private void read(Class<?> of) {
    try {
      Path place = Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        readAll(place);
      } else {
        try (var jar = FileSystems.newFileSystem(place)) {
          readAll(jar.getPath("/"));
        }
      }
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private void readAll(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path each : files.filter(SuspendingMethods::isClass).toList()) {
        ClassModel model = ClassFile.of().parse(Files.readAllBytes(each));
        classes.put(model.thisClass().asInternalName(), model);
      }
    }
  }

  private static boolean isClass(Path file) {
    String name = file.toString();
    return name.endsWith(".class") && !name.endsWith("-info.class");
  }

  private void addSupertypes(String type) {
    var all = new LinkedHashSet<String>();
    var left = new ArrayList<>(List.of(type));
    while (!left.isEmpty()) {
      String next = left.removeLast();
      ClassModel model = classes.get(next);
      if (all.add(next) && model != null) {
        model.superclass().ifPresent(each -> left.add(each.asInternalName()));
        model.interfaces().forEach(each -> left.add(each.asInternalName()));
      }
    }
    supertypes.put(type, all);
  }

  private void addCalls(ClassModel model) {
    String owner = model.thisClass().asInternalName();
    for (MethodModel each : model.methods()) {
      var called = new HashSet<Method>();
      var lambdas = new ArrayList<Method>();
      each.code()
          .ifPresent(code ->
              code.forEach(element -> {
                if (element instanceof InvokeDynamicInstruction lambda) {
                  lambda.bootstrapArgs().stream()
                      .filter(DirectMethodHandleDesc.class::isInstance)
                      .map(DirectMethodHandleDesc.class::cast)
                      .forEach(handle -> lambdas.add(method(handle)));
                } else if (element instanceof InvokeInstruction call) {
                  String to = call.owner().asInternalName();
                  if (isOurs(to)) {
                    String name = call.name().stringValue();
                    called.add(new Method(to, name, call.type().stringValue()));
                    if (RUN_AT_ONCE.contains(name)) {
                      called.addAll(lambdas);
                    }
                    lambdas.clear();
                  }
                }
              }));
      calls.put(method(owner, each), called);
    }
  }

  private static Method method(DirectMethodHandleDesc handle) {
    String owner = handle.owner().descriptorString();
    return new Method(
        owner.substring(1, owner.length() - 1), handle.methodName(), handle.lookupDescriptor());
  }

  private static Method method(String owner, MethodModel model) {
    return new Method(owner, model.methodName().stringValue(), model.methodType().stringValue());
  }

  private static boolean isOurs(String type) {
    return type.startsWith("dev/rondo/");
  }

  /// Adds the callers, until there are no more.
  private void close() {
    for (boolean more = true; more; ) {
      more = false;
      for (var each : calls.entrySet()) {
        if (!suspending.contains(each.getKey())
            && !each.getKey().name().equals("offStack") // its code cannot suspend
            && each.getValue().stream().anyMatch(this::canSuspend)) {
          suspending.add(each.getKey());
          more = true;
        }
      }
    }
  }

  /// Whether a call may reach a suspending method, which may override the named one.
  private boolean canSuspend(Method called) {
    return suspending.stream()
        .anyMatch(each ->
            each.name().equals(called.name())
                && each.type().equals(called.type())
                && (supertypes.get(each.owner()).contains(called.owner())
                    || supertypes.getOrDefault(called.owner(), Set.of()).contains(each.owner())));
  }

  private SortedSet<String> publicOnes() {
    var found = new TreeSet<String>();
    for (Method each : suspending) {
      supertypes.values().stream()
          .filter(types -> types.contains(each.owner()))
          .flatMap(Set::stream)
          .distinct()
          .map(classes::get)
          .filter(model -> model != null && isExported(model))
          .filter(model -> model.methods().stream().anyMatch(one -> isWord(one, each)))
          .forEach(model -> found.add(text(model, each)));
    }
    classes.values().stream().filter(this::isExported).forEach(model -> addEvents(model, found));
    return found;
  }

  /// The class, if it is an event itself, and its methods that return an event.
  private void addEvents(ClassModel model, Set<String> found) {
    String name = model.thisClass().asInternalName();
    if (!name.equals(EVENT) && supertypes.get(name).contains(EVENT)) {
      String text = model.thisClass().asSymbol().displayName();
      found.add(text.substring(text.lastIndexOf('$') + 1));
    }
    model.methods().stream()
        .filter(
            each -> isPublic(each) && each.methodType().stringValue().endsWith(")L" + EVENT + ";"))
        .forEach(each -> found.add(text(model, method(name, each))));
  }

  private static boolean isWord(MethodModel declared, Method method) {
    return isPublic(declared) && overrides(method, declared);
  }

  private static boolean overrides(Method method, MethodModel declared) {
    return declared.methodName().equalsString(method.name())
        && declared.methodType().equalsString(method.type());
  }

  private static boolean isPublic(MethodModel declared) {
    return declared.flags().has(AccessFlag.PUBLIC)
        && !declared.flags().has(AccessFlag.SYNTHETIC)
        && !declared.flags().has(AccessFlag.BRIDGE);
  }

  /// Whether programs can name it.
  private boolean isExported(ClassModel model) {
    String name = model.thisClass().asInternalName();
    boolean internal = name.contains("/internal/") || name.contains("/engine/");
    return !internal
        && model.flags().has(AccessFlag.PUBLIC)
        && !name.startsWith("dev/rondo/application/words/")
        && !name.startsWith("dev/rondo/scheduler/coroutine/");
  }

  private static String text(ClassModel model, Method method) {
    String owner = model.thisClass().asSymbol().displayName();
    String parameters =
        MethodTypeDesc.ofDescriptor(method.type()).parameterList().stream()
            .map(ClassDesc::displayName)
            .collect(Collectors.joining(", "));
    return owner.substring(owner.lastIndexOf('$') + 1)
        + "."
        + method.name()
        + "("
        + parameters
        + ")";
  }
}
