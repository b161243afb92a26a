package dev.rondo.io.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Optional libraries that are present and missing.
class OptionalLibraryTest {

  @ParameterizedTest
  @EnumSource
  void require_there_isSilent(OptionalLibrary library) {
    assertDoesNotThrow(() -> library.require());
  }

  @ParameterizedTest
  @EnumSource
  void require_notThere_saysWhatToAdd(OptionalLibrary library) {
    var nothing = ClassLoader.getPlatformClassLoader();
    var e = assertThrows(IllegalStateException.class, () -> library.require(nothing));
    assertTrue(e.getMessage().matches(".*add the dependency \\S+:\\S+:\\d.*"), e::getMessage);
  }

  /// In a JVM with this module on the module path and the library on the class path.
  @Test
  void require_asAModule_readsTheLibrary() throws Exception {
    var modules = new ArrayList<Path>();
    for (String entry :
        Splitter.on(File.pathSeparatorChar).split(System.getProperty("java.class.path"))) {
      if (isModule(Path.of(entry))) {
        modules.add(Path.of(entry));
      }
    }
    var finder = ModuleFinder.of(modules.toArray(Path[]::new));
    assumeTrue(finder.find("dev.rondo.io").isPresent(), "compiled without module-info");
    var boot = ModuleLayer.boot();
    var configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("dev.rondo.io"));
    ModuleLayer.Controller controller =
        ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(boot), OptionalLibraryTest.class.getClassLoader());
    Module io = controller.layer().findModule("dev.rondo.io").orElseThrow();
    controller.addExports(io, "dev.rondo.io.internal", OptionalLibraryTest.class.getModule());
    Class<?> type = Class.forName(io, OptionalLibrary.class.getName());
    Object tls = type.getField("TLS_CHANNEL").get(null);
    Module library = Class.forName("tlschannel.TlsChannel").getModule();
    assertFalse(io.canRead(library));
    type.getMethod("require").invoke(tls);
    assertTrue(io.canRead(library));
  }

  /// Whether the entry is a module, and not the one for TLS.
  private static boolean isModule(Path entry) {
    try {
      return ModuleFinder.of(entry).findAll().stream()
          .noneMatch(it -> it.descriptor().name().startsWith("tls"));
    } catch (FindException e) {
      return false;
    }
  }
}
