package dev.rondo.scheduler.coroutine;

import dev.rondo.scheduler.engine.util.RoomClass;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/// The coroutine backends of Rondo, and the choice of the default.
///
/// | | CONTINUATION | BOUND | HANDOFF |
/// |---|---|---|---|
/// | built on | the JDK's internal continuations | virtual threads scheduled by the loop | virtual threads that take turns with the loop |
/// | JVM flag | `--add-opens java.base/jdk.internal.vm=ALL-UNNAMED` | `--add-opens java.base/java.lang=ALL-UNNAMED` | none |
/// | `Thread.currentThread()` | the loop's thread | one virtual thread per task | one virtual thread per task |
/// | a blocking JDK call | blocks the loop | suspends only that task | blocks the loop |
/// | `synchronized` or a lock of the JDK across a suspend | forbidden; debug mode finds it | fine | hangs as soon as another task wants it; the observing module reports it |
///
/// BOUND is in a module of its own, `dev.rondo.bound`, which is found if it is on the path;
/// `dev.rondo.application` brings it. On the module path, replace `ALL-UNNAMED` by
/// `dev.rondo.scheduler`, and for BOUND by `dev.rondo.bound`. For `java -jar`, the entry
/// `Add-Opens: java.base/jdk.internal.vm java.base/java.lang` in the jar's manifest replaces the
/// flags.
///
/// For CONTINUATION `--add-exports` is enough. Its switches then go through the public methods of
/// the JDK's class, and take a fifth to a third longer. The system property
/// `rondo.directSwitch=false` has the same effect.
public final class CoroutineBackends {

  /// The system property that names the default backend: `continuation`, `bound` or `handoff`, in
  /// any case.
  public static final String PROPERTY = "rondo.backend";

  /// The backends that were needed so far, by name. Guarded by the class.
  private static final Map<String, CoroutineBackend> KNOWN = new HashMap<>();

  private CoroutineBackends() {}

  /// Returns the backend that the system property [#PROPERTY] names. Without the property, returns
  /// CONTINUATION if the JVM opens or exports `jdk.internal.vm` to this module, BOUND if it is on
  /// the path and the JVM opens `java.lang` to it, and otherwise HANDOFF, and logs one line that
  /// says how to get BOUND.
  ///
  /// @return the same backend on every call
  /// @throws IllegalArgumentException if the property does not name a backend
  /// @throws UnsupportedOperationException if the property names a backend that needs a flag this
  ///   JVM was started without, or a module that is not present
  public static CoroutineBackend defaultBackend() {
    return known("default", CoroutineBackends::choose);
  }

  private static synchronized CoroutineBackend known(
      String name, Supplier<CoroutineBackend> maker) {
    CoroutineBackend known = KNOWN.get(name);
    if (known == null) {
      known = maker.get(); // possibly this is another known one
      KNOWN.put(name, known);
    }
    return known;
  }

  private static CoroutineBackend choose() {
    String wanted = System.getProperty(PROPERTY);
    if (wanted != null) {
      return named(wanted);
    }
    try {
      return continuation();
    } catch (UnsupportedOperationException _) {
      // This JVM was started without the flag.
    }
    try {
      return bound();
    } catch (UnsupportedOperationException e) {
      LoggerFactory.getLogger(CoroutineBackends.class)
          .info(
              "running on the portable HANDOFF backend; for one several times faster: {}",
              e.getMessage());
      return handoff();
    }
  }

  /// {@return the backend with a name}
  ///
  /// @param name `continuation`, `bound` or `handoff`, in any case
  /// @throws IllegalArgumentException if no backend has the name
  /// @throws UnsupportedOperationException if the JVM was started without the flag that it needs,
  ///   or without the module; the message names what is missing
  public static CoroutineBackend named(String name) {
    Objects.requireNonNull(name, "name is null");
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "continuation" -> continuation();
      case "bound" -> bound();
      case "handoff" -> handoff();
      default ->
          throw new IllegalArgumentException(
              "no coroutine backend is named '"
                  + name
                  + "'; there are continuation, bound and handoff");
    };
  }

  /// {@return the CONTINUATION backend: fast}
  ///
  /// @throws UnsupportedOperationException if the JVM was started without the flag; the message
  ///   names it
  public static CoroutineBackend continuation() {
    return known("continuation", CoroutineBackends::newContinuation);
  }

  private static CoroutineBackend newContinuation() {
    try {
      return new ContinuationBackend();
    } catch (LinkageError e) {
      throw new UnsupportedOperationException(
          "the CONTINUATION backend needs the JVM flag --add-opens java.base/jdk.internal.vm="
              + (isNamed() ? "dev.rondo.scheduler" : "ALL-UNNAMED"),
          e);
    }
  }

  /// {@return the BOUND backend: unmodified blocking code suspends only its task}
  ///
  /// @throws UnsupportedOperationException if the JVM was started without the flag, or without the
  ///   module `dev.rondo.bound`; the message names what is missing
  public static CoroutineBackend bound() {
    return known("bound", CoroutineBackends::findBound);
  }

  private static CoroutineBackend findBound() {
    ClassLoader own = CoroutineBackends.class.getClassLoader();
    try {
      for (CoroutineBackend each : ServiceLoader.load(CoroutineBackend.class, own)) {
        if (each.name().equals("BOUND")) {
          each.checkAvailable();
          return each;
        }
      }
    } catch (ServiceConfigurationError e) {
      throw new UnsupportedOperationException(
          "a jar on the path provides a coroutine backend that cannot be loaded (%s): remove that jar, or use the version that fits this one of Rondo"
              .formatted(e.getMessage()),
          e);
    }
    String module = isNamed() ? "dev.rondo.bound" : "ALL-UNNAMED";
    throw new UnsupportedOperationException(
        "the BOUND backend needs the artifact dev.rondo:rondo-addons-bound on the path, and the"
            + " JVM flag --add-opens java.base/java.lang="
            + module);
  }

  /// {@return the HANDOFF backend: works everywhere, but slowly}
  public static CoroutineBackend handoff() {
    return known("handoff", () -> RoomClass.HANDOFF.make(CoroutineBackend.class));
  }

  private static boolean isNamed() {
    return CoroutineBackends.class.getModule().isNamed();
  }
}
