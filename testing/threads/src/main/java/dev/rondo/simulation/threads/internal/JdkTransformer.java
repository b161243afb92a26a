package dev.rondo.simulation.threads.internal;

import dev.rondo.application.internal.FreshClassLoader;
import dev.rondo.simulation.internal.agent.CallRewriter;
import dev.rondo.simulation.internal.agent.CalledMethod;
import dev.rondo.simulation.threads.hook.Hook;
import dev.rondo.simulation.threads.hook.Program;
import dev.rondo.simulation.threads.internal.race.ClassFacts;
import dev.rondo.simulation.threads.internal.race.RacingPackages;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rewrites classes: in those of the JDK the methods of [JdkPatches] and the calls of clocks, in
/// all others the calls of [HookCalls].
///
/// Any thread.
final class JdkTransformer implements ClassFileTransformer {

  /// The packages and classes of the JDK with code that a program runs.
  private static final List<String> OF_JDK =
      List.of(
          "com.sun.jmx.",
          "com.sun.jndi.",
          "com.sun.org.apache.",
          "com.sun.security.",
          "java.io.File",
          "java.io.Piped",
          "java.io.RandomAccessFile",
          "java.lang.Object",
          "java.lang.Process",
          "java.lang.Runtime",
          "java.lang.System",
          "java.lang.Thread",
          "java.lang.VirtualThread",
          "java.lang.invoke.MethodType",
          "java.lang.management.ManagementFactory",
          "java.lang.ref.ReferenceQueue",
          "java.net.",
          "java.nio.channels.",
          "java.nio.file.Files",
          "java.rmi.",
          "java.security.",
          "java.sql.",
          "java.text.",
          "java.time.",
          "java.util.",
          "javax.management.",
          "javax.naming.spi.",
          "javax.net.",
          "javax.security.",
          "jdk.internal.misc.ThreadFlock",
          "jdk.internal.net.http.",
          "jdk.internal.random.",
          "jdk.jfr.",
          "jdk.nio.zipfs.",
          "sun.management.",
          "sun.net.",
          "sun.nio.ch.",
          "sun.rmi.",
          "sun.security.jca.Providers",
          "sun.security.jgss.",
          "sun.security.krb5.",
          "sun.security.provider.certpath.",
          "sun.security.ssl.",
          "sun.security.util.MemoryCache",
          "sun.util.calendar.",
          "sun.util.locale.provider.");

  /// Rondo itself, whose clocks are those of a world, and what runs tests.
  private static final List<String> SPARED =
      List.of("dev.rondo.", "org.junit.", "org.apache.maven.", "org.opentest4j.");

  /// The one part of Rondo that has threads of its own.
  private static final String THREADED = "dev.rondo.cluster.";

  private static final Map<String, List<MethodPatch>> PATCHES =
      JdkPatches.ALL.stream().collect(Collectors.groupingBy(MethodPatch::type));

  private final ClassFile context =
      ClassFile.of(
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader())));

  /// The patches whose methods were found and changed.
  private final Set<MethodPatch> made = ConcurrentHashMap.newKeySet();

  /// The calls of the JDK that were found and changed.
  private final Set<String> called = ConcurrentHashMap.newKeySet();

  private final RacingPackages racing = new RacingPackages();
  private final ClassFacts facts = new ClassFacts();

  /// Whether classes of the JDK say by what they order threads.
  private volatile boolean detects;

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /// {@return the names of the classes that must be changed}
  static Set<String> required() {
    var all = new TreeSet<>(HookCalls.SEE_THREADS);
    all.add(Clock.class.getName());
    all.addAll(PATCHES.keySet());
    return all;
  }

  /// {@return whether a class may have something to change}
  static boolean concerns(Class<?> type) {
    return !type.isArray() && !type.isHidden() && concerns(type.getClassLoader(), type.getName());
  }

  private static boolean concerns(@Nullable ClassLoader loader, String name) {
    return isOfJdk(loader)
        ? isChangedInJdk(name)
        : name.startsWith(THREADED) || SPARED.stream().noneMatch(name::startsWith);
  }

  /// {@return whether a class of the JDK may have something to change}
  static boolean isChangedInJdk(String name) {
    return OF_JDK.stream().anyMatch(name::startsWith);
  }

  private static boolean isOfJdk(@Nullable ClassLoader loader) {
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /// {@return the classes that could not be changed so far; empty if all is well}
  List<String> failures() {
    return failures.stream().map(Throwable::toString).toList();
  }

  /// {@return what this JDK does not have, or what could not be changed; empty if all is well}
  List<String> missing() {
    var missing = new ArrayList<String>();
    JdkPatches.ALL.stream()
        .filter(each -> !made.contains(each))
        .forEach(each -> missing.add(each.toString()));
    HookCalls.madeByJdk().stream()
        .filter(each -> !called.contains(each))
        .sorted()
        .forEach(each -> missing.add("a call of " + each));
    missing.addAll(failures());
    return missing;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String internalName,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (internalName == null) {
      return null; // a hidden class
    }
    String name = internalName.replace('/', '.');
    if (!concerns(loader, name)) {
      return null;
    }
    if (loader instanceof FreshClassLoader && redefined == null) {
      return null; // it has the class file of #ofFresh
    }
    try {
      if (loader instanceof FreshClassLoader) {
        return withRaces(name, bytes, loader); // it has the other changes
      }
      if (isOfJdk(loader)) {
        return ofJdk(name, bytes, redefined == null);
      }
      byte[] changed = ofProgram(bytes, true, loader);
      byte[] raced = withRaces(name, changed == null ? bytes : changed, loader);
      return raced == null ? changed : raced;
    } catch (RuntimeException | LinkageError e) {
      failed(name, e);
      return null;
    }
  }

  /// {@return the class file of a class that is loaded again and again}
  ///
  /// @param name of the class, with dots
  /// @param bytes of the class file as it was
  /// @param resources has the class files that it refers to
  byte[] ofFresh(String name, byte[] bytes, ClassLoader resources) {
    if (!concerns(resources, name)) {
      return bytes;
    }
    try {
      byte[] changed = ofProgram(bytes, false, resources);
      byte[] before = changed == null ? bytes : changed;
      byte[] raced = withRaces(name, before, resources);
      return raced == null ? before : raced;
    } catch (RuntimeException | LinkageError e) {
      failed(name, e);
      return bytes;
    }
  }

  /// A program must not go on with the code as it was.
  private void failed(String name, Throwable cause) {
    var failure = new IllegalStateException("cannot change class " + name + ": " + cause, cause);
    failures.add(failure);
    Program running = Hook.current();
    if (running != null) {
      running.failed(failure);
    }
  }

  /// @param isOnce whether all runs have the same class
  private static byte @Nullable [] ofProgram(
      byte[] bytes, boolean isOnce, @Nullable ClassLoader loader) {
    // the methods that it adds are the same ones when a class is changed again
    byte[] rewritten = CallRewriter.rewrite(HookCalls.ofPrograms(), bytes, true, loader);
    byte[] before = rewritten == null ? bytes : rewritten;
    byte[] counted = LoopCounter.count(CallRewriter.context(loader), before);
    byte[] marked = InitialiserMark.mark(CallRewriter.context(loader), counted, isOnce);
    return marked == bytes ? null : marked;
  }

  // Races.

  /// Has classes of the JDK say by what they order threads, when they are changed from now on.
  void detect() {
    detects = true;
  }

  /// The patches of this JVM.
  RacingPackages racing() {
    return racing;
  }

  /// {@return a class with points where its threads race; null if they do not}
  private byte @Nullable [] withRaces(String name, byte[] bytes, @Nullable ClassLoader loader) {
    int packages = racing.bitsOf(name);
    return packages == 0
        ? null
        : RacePoints.add(CallRewriter.context(loader), bytes, packages, facts, loader);
  }

  /// @param isNew whether its initialiser has not run
  private byte @Nullable [] ofJdk(String name, byte[] bytes, boolean isNew) {
    byte[] marked = isNew ? InitialiserMark.mark(context, bytes, true) : bytes;
    ClassModel model = context.parse(marked);
    HookCalls calls = HookCalls.ofJdk(name);
    List<MethodPatch> patches = PATCHES.getOrDefault(name, List.of());
    boolean orders = detects && SyncPoints.concerns(name);
    if (patches.isEmpty() && !orders && !CallRewriter.names(calls, model)) {
      return marked == bytes ? null : marked;
    }
    return context.transformClass(
        model, (builder, element) -> change(model, builder, element, calls, patches, orders));
  }

  private void change(
      ClassModel model,
      ClassBuilder builder,
      ClassElement element,
      HookCalls calls,
      List<MethodPatch> patches,
      boolean orders) {
    if (!(element instanceof MethodModel method) || method.code().isEmpty()) {
      builder.with(element);
      return;
    }
    CodeTransform change = callsTo(calls);
    for (MethodPatch each : patches) {
      if (each.concerns(method.methodName().stringValue(), method.methodType().stringValue())) {
        change = change.andThen(each.change(() -> made.add(each)));
      }
    }
    if (orders && !InitialiserMark.isInitialiser(method)) {
      change = change.andThen(SyncPoints.ofJdk(model, method, facts));
    }
    builder.transformMethod(method, MethodTransform.transformingCode(change));
  }

  private CodeTransform callsTo(HookCalls calls) {
    return (code, element) -> {
      if (element instanceof InvokeInstruction call) {
        CalledMethod method = CalledMethod.of(call);
        var by = calls.replacementOf(method);
        if (by != null) {
          called.add(method.toString());
          by.writeTo(code, method);
          return;
        }
      }
      code.with(element);
    };
  }
}
