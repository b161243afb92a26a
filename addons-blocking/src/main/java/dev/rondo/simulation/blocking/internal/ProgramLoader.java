package dev.rondo.simulation.blocking.internal;

import dev.rondo.simulation.internal.agent.CallRewriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The classes of one program and its libraries, from its start to its end: their statics are those
/// of a process. Rondo, the JDK, and what runs tests and writes logs are shared.
///
/// Any thread.
public final class ProgramLoader extends ClassLoader {

  private static final List<String> SHARED =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "dev.rondo.",
          "org.jspecify.",
          "org.junit.",
          "org.opentest4j.",
          "org.apache.maven.",
          "org.slf4j.",
          "ch.qos.logback.");

  /// The code of each class, rewritten; empty if there is no such class. The same for all programs.
  private static final Map<String, Optional<byte[]>> CODE = new ConcurrentHashMap<>();

  /// A program that begins.
  public ProgramLoader() {
    super("program", ProgramLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (SHARED.stream().anyMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] code =
        CODE.computeIfAbsent(name, this::read).orElseThrow(() -> new ClassNotFoundException(name));
    return defineClass(name, code, 0, code.length);
  }

  private Optional<byte[]> read(String name) {
    String resource = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(resource)) {
      if (in == null) {
        return Optional.empty();
      }
      byte[] code = in.readAllBytes();
      byte[] rewritten = CallRewriter.rewrite(HookCalls.ofPrograms(), code, true, getParent());
      return Optional.of(rewritten == null ? code : rewritten);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read class " + name, e);
    }
  }
}
