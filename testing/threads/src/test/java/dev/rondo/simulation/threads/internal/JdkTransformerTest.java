package dev.rondo.simulation.threads.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the agent finds missing.
final class JdkTransformerTest {

  private static final Set<String> CLOCKS =
      Set.of(
          "java/lang/System.nanoTime",
          "java/lang/System.currentTimeMillis",
          "jdk/internal/misc/VM.getNanoTimeAdjustment");

  /// Without user interfaces, tools and hardware.
  private static final List<String> OF_PROGRAMS =
      List.of(
          "java.base",
          "java.logging",
          "java.management",
          "java.management.rmi",
          "java.naming",
          "java.net.http",
          "java.prefs",
          "java.rmi",
          "java.security.jgss",
          "java.security.sasl",
          "java.sql",
          "java.sql.rowset",
          "java.transaction.xa",
          "java.xml",
          "java.xml.crypto",
          "jdk.httpserver",
          "jdk.naming.dns",
          "jdk.net",
          "jdk.security.auth",
          "jdk.security.jgss",
          "jdk.zipfs");

  /// What the JVM measures, logs and seeds for itself.
  private static final Set<String> OF_JVM =
      Set.of(
          "java.lang.ClassLoader",
          "jdk.internal.logger.BootstrapLogger$LogEvent",
          "jdk.internal.module.ModuleBootstrap$Counters",
          "jdk.internal.module.ModulePath",
          "jdk.internal.perf.PerfCounter",
          "jdk.internal.util.random.RandomSupport",
          "sun.security.provider.NativePRNG$RandomIO",
          "sun.security.provider.SeedGenerator",
          "sun.security.provider.SeedGenerator$ThreadedSeedGenerator");

  @Test
  void missing_withoutAClassOfTheJdk_namesItsMethods() {
    List<String> missing = new JdkTransformer().missing();
    assertEquals(JdkPatches.ALL.size() + HookCalls.madeByJdk().size(), missing.size());
    assertTrue(missing.contains("java.lang.Thread.start that calls start0"), missing.toString());
    assertTrue(missing.contains("java.net.Socket.* that reads factory"), missing.toString());
    assertTrue(
        missing.contains("java.lang.ThreadBuilders.newVirtualThread that calls isSupported"),
        missing.toString());
    assertTrue(
        missing.contains("a call of jdk.internal.misc.VM.getNanoTimeAdjustment(long)"),
        missing.toString());
  }

  /// What reads clocks in the modules with code that a program runs.
  @Test
  void clocks_ofAllClassesThatProgramsRun_areReplaced() throws IOException {
    Set<String> real = new TreeSet<>();
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    for (String each : OF_PROGRAMS) {
      try (Stream<Path> files = Files.walk(modules.resolve(each))) {
        for (Path file : (Iterable<Path>) files::iterator) {
          String name =
              file.subpath(Math.min(2, file.getNameCount() - 1), file.getNameCount()).toString();
          if (name.endsWith(".class") && readsClock(file)) {
            real.add(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
          }
        }
      }
    }
    assertTrue(real.contains("java.lang.ref.ReferenceQueue"), real.toString());
    real.removeIf(JdkTransformer::isChangedInJdk);
    assertEquals(OF_JVM, real);
  }

  private static boolean readsClock(Path file) throws IOException {
    ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
    for (PoolEntry each : model.constantPool()) {
      if (each instanceof MethodRefEntry method
          && CLOCKS.contains(method.owner().asInternalName() + "." + method.name().stringValue())) {
        return true;
      }
    }
    return false;
  }

  @Test
  void transform_ofAClassThatIsNone_isMissing() {
    var transformer = new JdkTransformer();
    byte[] none = {1, 2, 3};
    assertNull(transformer.transform(null, null, "java/lang/Thread", null, null, none));
    assertTrue(
        transformer.missing().getLast().contains("cannot change class java.lang.Thread"),
        transformer.missing().toString());
  }
}
