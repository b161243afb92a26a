package dev.rondo.simulation.threads.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.internal.FreshClassLoader;
import dev.rondo.simulation.threads.hook.FileHook;
import dev.rondo.simulation.threads.internal.race.RacingPackages;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Installs the agent, and tests that all of it is there.
public final class AgentSetup {

  private static final String HOOKS = "dev/rondo/simulation/threads/hook/";
  private static final String HOOK = "Hook";
  private static final List<String> HOOK_CLASSES =
      List.of(
          "Border",
          "BorderHook",
          "Chance",
          "ChanceHook",
          "ComputerFiles",
          "FileHook",
          "FileHook$Change",
          "FileHook$OfDisk",
          "FileHook$Space",
          HOOK,
          "NetworkHook",
          "ProcessHook",
          "Program",
          "RaceHook",
          "Shown",
          "StaticHook",
          "StaticHook$Logs",
          "StaticHook$Logs$Global",
          "StaticHook$Logs$Manager",
          "StreamHook",
          "StreamHook$Io",
          "StreamHook$Open");

  /// Packages that the simulation reads fields of.
  private static final Set<String> OPENED =
      Set.of(
          "java.io",
          "java.lang",
          "java.lang.invoke",
          "java.net",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.locks",
          "jdk.internal.util",
          "jdk.internal.vm");

  /// Null until the agent is installed.
  private static @Nullable JdkTransformer installed;

  /// Null until the agent is installed.
  private static @Nullable Instrumentation instrumentation;

  /// Null until the hooks are loaded.
  private static @Nullable HookSwitch hooks;

  /// Whether all classes of the JDK say by what they order threads.
  private static boolean detects;

  /// The packages whose classes have all been changed.
  private static final Set<String> RACING = new HashSet<>();

  private AgentSetup() {}

  /// {@return whether the agent is in this JVM}
  public static synchronized boolean isInstalled() {
    return installed != null;
  }

  /// Has threads simulated from now on, if all classes were changed that had to be.
  ///
  /// @throws IllegalStateException if one was not; the message says which and why
  public static synchronized void begin() {
    requireComplete();
    if (hooks != null) {
      hooks.turnOn();
    }
  }

  /// {@return the name of a package or class without the two dots at its end}
  ///
  /// @throws IllegalArgumentException if the classes are none of programs
  public static String requireOfPrograms(String name) {
    return RacingPackages.requireOfPrograms(requireNonNull(name, "a package is null"));
  }

  /// Has threads of some packages race from now on, where a world asks for it.
  ///
  /// @param packages or classes; with those below, and nested ones
  /// @return a bit for each
  /// @throws IllegalStateException if a class that is loaded cannot be changed
  public static synchronized int race(List<String> packages) {
    JdkTransformer transformer = requireNonNull(installed, "the agent is not installed");
    RacingPackages racing = transformer.racing();
    boolean _ = racing.add(packages);
    if (!RACING.containsAll(packages)) {
      FreshClassLoader.forget(name -> racing.bitsOf(name) != 0);
      List<String> failures = new ArrayList<>();
      Instrumentation jvm = requireNonNull(instrumentation, "the agent is not installed");
      retransform(
          jvm,
          each -> JdkTransformer.concerns(each) && racing.bitsOf(each.getName()) != 0,
          failures);
      failures.addAll(transformer.failures());
      if (!failures.isEmpty()) {
        throw new IllegalStateException("threads cannot race: " + String.join(", ", failures));
      }
      RACING.addAll(packages);
    }
    return racing.bits(packages);
  }

  /// Has classes of the JDK say by what they order threads, from now on.
  ///
  /// @throws IllegalStateException if a class cannot be changed
  public static synchronized void detect() {
    if (detects) {
      return;
    }
    JdkTransformer transformer = requireNonNull(installed, "the agent is not installed");
    transformer.detect();
    List<String> failures = new ArrayList<>();
    Instrumentation jvm = requireNonNull(instrumentation, "the agent is not installed");
    retransform(
        jvm,
        each ->
            each.getClassLoader() == null
                && JdkTransformer.concerns(each)
                && SyncPoints.concerns(each.getName()),
        failures);
    failures.addAll(transformer.failures());
    if (!failures.isEmpty()) {
      throw new IllegalStateException(
          "data races cannot be detected: " + String.join(", ", failures));
    }
    detects = true;
  }

  private static void requireComplete() {
    List<String> failures = installed == null ? List.of() : installed.failures();
    if (!failures.isEmpty()) {
      throw new IllegalStateException(
          "programs cannot be simulated in this JVM: " + String.join(", ", failures));
    }
  }

  /// Changes the classes of the JDK that are loaded, and all others when they are.
  ///
  /// @throws IOException if the temporary folder cannot be written to
  /// @throws IllegalStateException if this JDK lacks something
  public static synchronized void install(Instrumentation jvm) throws IOException {
    if (installed != null) {
      return;
    }
    loadHooks(jvm);
    List<String> failures = new ArrayList<>();
    var transformer = new JdkTransformer();
    transform(jvm, transformer, failures);
    find(failures, "the timers of virtual threads", AgentSetup::replaceTimers);
    find(failures, "the fields of threads", ThreadFields::find);
    find(failures, "the fields of pools", PoolFields::find);
    find(failures, "the monitors of threads", MonitorFields::find);
    find(failures, "the counters of the JDK", () -> JdkStatics.begin(0));
    if (!failures.isEmpty()) {
      throw new IllegalStateException(
          "Java %s cannot be simulated; it lacks %s"
              .formatted(Runtime.version(), String.join(", ", failures)));
    }
    Runtime.getRuntime().addShutdownHook(new Thread(FileHook::deleteCopies));
    FreshClassLoader.rewriting(transformer::ofFresh);
    instrumentation = jvm;
    installed = transformer;
  }

  /// Loads the classes of the JDK that must be changed, and changes all that are loaded.
  private static void transform(
      Instrumentation jvm, JdkTransformer transformer, List<String> failures) {
    jvm.addTransformer(transformer, true);
    for (String each : JdkTransformer.required()) {
      try {
        // logs begin with properties that a test may set
        boolean initialised = !each.startsWith("java.util.logging.");
        Class<?> _ = Class.forName(each, initialised, ClassLoader.getPlatformClassLoader());
      } catch (ClassNotFoundException e) {
        failures.add("class " + each);
      }
    }
    find(failures, "the table of the types of methods", () -> MethodTypes.rehash(jvm));
    retransform(
        jvm,
        each ->
            each != MethodType.class
                && jvm.isModifiableClass(each)
                && JdkTransformer.concerns(each),
        failures);
    failures.addAll(transformer.missing());
  }

  /// Changes loaded classes. All at once, because the JVM discards compiled code at each change.
  private static void retransform(
      Instrumentation jvm, Predicate<Class<?>> which, List<String> failures) {
    List<Class<?>> types = Stream.<Class<?>>of(jvm.getAllLoadedClasses()).filter(which).toList();
    try {
      jvm.retransformClasses(types.toArray(Class<?>[]::new));
    } catch (UnmodifiableClassException | LinkageError | InternalError _) {
      // Which one it is, the JVM does not say.
      types.forEach(each -> retransform(jvm, each, failures));
    }
  }

  /// The JVM refuses a class whose initialiser has failed, and which never runs.
  private static void retransform(Instrumentation jvm, Class<?> type, List<String> failures) {
    try {
      jvm.retransformClasses(type);
    } catch (UnmodifiableClassException | LinkageError e) {
      failures.add("changes of " + type.getName() + ": " + e);
    } catch (InternalError e) {
      if (!String.valueOf(e.getMessage()).contains("invalid class")) {
        throw e;
      }
    }
  }

  /// Has the loader of the JDK load the hooks, and opens to them and to this what they use.
  private static void loadHooks(Instrumentation jvm) throws IOException {
    Path jar = Files.createTempFile("rondo-blocking-hook", ".jar");
    jar.toFile().deleteOnExit();
    try (OutputStream file = Files.newOutputStream(jar);
        var out = new JarOutputStream(file)) {
      for (String each : HOOK_CLASSES) {
        String name = HOOKS + each + ".class";
        out.putNextEntry(new JarEntry(name));
        try (InputStream in = AgentSetup.class.getClassLoader().getResourceAsStream(name)) {
          if (in == null) {
            throw new IOException("not on the class path: " + name);
          }
          byte[] bytes = in.readAllBytes();
          if (each.equals(HOOK)) {
            hooks = new HookSwitch(jvm, bytes);
            bytes = HookSwitch.off(bytes);
          }
          out.write(bytes);
        }
      }
    }
    try (var file = new JarFile(jar.toFile())) {
      jvm.appendToBootstrapClassLoaderSearch(file);
    }
    Class<?> hook;
    try {
      hook =
          Class.forName(HOOKS.replace('/', '.') + HOOK, false, AgentSetup.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IOException("the hooks cannot be loaded", e);
    }
    if (hook.getClassLoader() != null) {
      throw new IllegalStateException(
          "the agent needs its hooks on the class path, not on the module path");
    }
    Set<Module> users = Set.of(hook.getModule(), AgentSetup.class.getModule());
    Map<String, Set<Module>> opened = new HashMap<>();
    OPENED.forEach(each -> opened.put(each, users));
    jvm.redefineModule(Object.class.getModule(), Set.of(), opened, opened, Set.of(), Map.of());
  }

  /// Fields that the simulation reads by reflection.
  private interface Finder {
    void find() throws ReflectiveOperationException;
  }

  private static void find(List<String> failures, String what, Finder finder) {
    try {
      finder.find();
    } catch (ReflectiveOperationException | RuntimeException | ExceptionInInitializerError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      failures.add(what + ": " + cause);
    }
  }

  private static void replaceTimers() throws ReflectiveOperationException {
    ScheduledExecutorService[] timers = ThreadFields.timers();
    for (int i = 0; i < timers.length; i++) {
      timers[i] = new VirtualTimers(timers[i]);
    }
  }
}
