package dev.rondo.application.internal;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Loads the classes of one run, or of one simulated process, again: their static fields are as in
/// a JVM that has just started. The JDK, Rondo, and libraries for tests, mocks and logs are shared
/// with all other code. A class file is read, and changed, once for all loaders.
///
/// Any thread.
public final class FreshClassLoader extends ClassLoader {

  private static final List<String> SHARED =
      List.of(
          "java.",
          "jdk.",
          "dev.rondo.",
          "org.jspecify.",
          "org.junit.",
          "org.opentest4j.",
          "org.apiguardian.",
          "org.apache.maven.",
          "org.mockito.",
          "net.bytebuddy.",
          "org.slf4j.",
          "ch.qos.logback.");

  /// The packages of the JDK. Packages of other libraries can begin with `javax.` or `com.sun.` as
  /// well.
  private static final Set<String> OF_JDK =
      ModuleFinder.ofSystem().findAll().stream()
          .flatMap(each -> each.descriptor().packages().stream())
          .collect(Collectors.toUnmodifiableSet());

  /// Changes class files that are loaded again and again.
  @FunctionalInterface
  public interface Rewriting {

    /// {@return the class file that is loaded in the place of another one}
    ///
    /// @param name of the class, with dots
    /// @param bytes of its class file
    /// @param resources has the class files that it refers to
    byte[] rewrite(String name, byte[] bytes, ClassLoader resources);
  }

  /// A class file.
  private record Code(ByteBuffer bytes, @Nullable ProtectionDomain domain) {}

  /// The class files, by the name of the class; empty if there is no such class.
  private static final Map<String, Optional<Code>> CODE = new ConcurrentHashMap<>();

  /// The origins of class files, by the text of the address.
  private static final Map<String, ProtectionDomain> DOMAINS = new ConcurrentHashMap<>();

  /// Shared classes, by their names: each loader is asked for hundreds of them, and has the same
  /// parent.
  private static final Map<String, Class<?>> FOUND = new ConcurrentHashMap<>();

  private static final AtomicInteger MADE = new AtomicInteger();

  private static volatile Rewriting rewriting = (_, bytes, _) -> bytes;

  static {
    boolean _ = registerAsParallelCapable();
  }

  private final int number = MADE.incrementAndGet();

  /// A loader that has loaded nothing, on top of the class path.
  ///
  /// @param name the loader's name, which says what it is for
  public FreshClassLoader(String name) {
    super(name, FreshClassLoader.class.getClassLoader());
  }

  /// Changes all class files from now on, each once.
  ///
  /// @param by changes a class file
  public static void rewriting(Rewriting by) {
    rewriting = by;
  }

  /// Reads, and changes, some class files again when they are loaded again.
  ///
  /// @param names of their classes, with dots
  public static void forget(Predicate<String> names) {
    boolean _ = CODE.keySet().removeIf(names);
  }

  /// {@return the number of this loader in the JVM, from 1 on} It tells classes of the same name
  /// apart, and does not follow from a seed.
  public int number() {
    return number;
  }

  /// {@return whether all runs share a class}
  ///
  /// @param name of the class, with dots
  public static boolean isShared(String name) {
    for (String each : SHARED) {
      if (name.startsWith(each)) {
        return true;
      }
    }
    return OF_JDK.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    Class<?> known = FOUND.get(name);
    if (known != null) {
      return known;
    }
    if (isShared(name)) {
      Class<?> found = super.loadClass(name, resolve);
      FOUND.put(name, found);
      return found;
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    Code code =
        CODE.computeIfAbsent(name, this::read).orElseThrow(() -> new ClassNotFoundException(name));
    return defineClass(name, code.bytes.duplicate(), code.domain);
  }

  private Optional<Code> read(String name) {
    URL resource = getParent().getResource(name.replace('.', '/') + ".class");
    if (resource == null) {
      return Optional.empty();
    }
    try {
      URLConnection connection = resource.openConnection();
      try (InputStream in = connection.getInputStream()) {
        byte[] bytes = rewriting.rewrite(name, in.readAllBytes(), getParent());
        return Optional.of(new Code(ByteBuffer.wrap(bytes), domainOf(connection)));
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot read class " + name, e);
    }
  }

  /// {@return the domain of the jar of a class; null if it comes from a folder}
  private static @Nullable ProtectionDomain domainOf(URLConnection connection) {
    if (!(connection instanceof JarURLConnection jar)) {
      return null;
    }
    URL file = jar.getJarFileURL();
    return DOMAINS.computeIfAbsent(
        file.toExternalForm(),
        _ -> new ProtectionDomain(new CodeSource(file, (Certificate[]) null), null));
  }
}
