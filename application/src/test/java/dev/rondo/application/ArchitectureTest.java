package dev.rondo.application;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Rules for the dependencies between the published modules, checked on their class files.
///
/// Test classes and those of the contract suites are left out.
final class ArchitectureTest {
  private static final String CORE = "dev.rondo.scheduler..";
  private static final String OBSERVE = "dev.rondo.observe..";
  private static final String BOUND = "dev.rondo.bound..";
  private static final String TIME = "dev.rondo.time..";
  private static final String CONDITION = "dev.rondo.condition..";
  private static final String IO = "dev.rondo.io..";
  private static final String APPLICATION = "dev.rondo.application..";
  private static final Map<String, String> FOLDERS =
      Map.of(
          CORE, "scheduler-core",
          BOUND, "addons-bound",
          OBSERVE, "addons-observe",
          TIME, "addons-time",
          CONDITION, "addons-condition",
          IO, "addons-io",
          APPLICATION, "application");
  private static final Set<String> MODULES = FOLDERS.keySet();

  /// An export in the source of a module, with the modules that it names.
  private static final Pattern EXPORT =
      Pattern.compile("exports\\s+([\\w.]+)(?:\\s+to\\s+([\\w.,\\s]+))?;");

  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.rondo");

  @Test
  void production_everyModule_isSeen() {
    for (String module : MODULES) {
      assertTrue(PRODUCTION.stream().anyMatch(resideInAPackage(module)), module);
    }
  }

  @Test
  void core_anyClass_usesNoOtherModule() {
    assertUsesNothingButItselfAnd(CORE);
  }

  @Test
  void observe_anyClass_usesTheCoreOnly() {
    assertUsesNothingButItselfAnd(OBSERVE, CORE);
  }

  @Test
  void bound_anyClass_usesTheCoreOnly() {
    assertUsesNothingButItselfAnd(BOUND, CORE);
  }

  @Test
  void time_anyClass_usesTheCoreOnly() {
    assertUsesNothingButItselfAnd(TIME, CORE);
  }

  @Test
  void condition_anyClass_usesTheCoreOnly() {
    assertUsesNothingButItselfAnd(CONDITION, CORE);
  }

  @Test
  void io_anyClass_usesTheCoreAndTimeOnly() {
    assertUsesNothingButItselfAnd(IO, CORE, TIME);
  }

  /// A logger in a static field loads the whole logging library together with its class. With
  /// Logback that was two thirds of the start of an application.
  @Test
  void loggers_anyClass_areNotInStaticFields() {
    noFields().should().haveRawType(org.slf4j.Logger.class).check(PRODUCTION);
  }

  @Test
  void packages_notExportedToAll_areUsedByTheModulesThatHaveThem() throws IOException {
    for (String module : MODULES) {
      Map<String, List<String>> exports = exportsOf(module);
      for (JavaPackage each : PRODUCTION.getDefaultPackage().getSubpackagesInTree()) {
        List<String> users = exports.getOrDefault(each.getName(), List.of());
        boolean toAll = exports.containsKey(each.getName()) && users.isEmpty();
        if (each.getClasses().isEmpty() || toAll || !isIn(module, each)) {
          continue;
        }
        String[] allowed = Stream.concat(Stream.of(module), users.stream()).toArray(String[]::new);
        noClasses()
            .that(not(resideInAnyPackage(allowed)))
            .should()
            .dependOnClassesThat(resideInAPackage(each.getName()))
            .allowEmptyShould(true) // all modules of the class path may use it
            .check(PRODUCTION);
      }
    }
  }

  private static boolean isIn(String module, JavaPackage it) {
    return (it.getName() + ".").startsWith(module.substring(0, module.length() - 1));
  }

  /// The exported packages, each with the modules that alone have it, as patterns of packages.
  private static Map<String, List<String>> exportsOf(String module) throws IOException {
    Path source = Path.of("..", FOLDERS.get(module), "src", "main", "java", "module-info.java");
    return EXPORT
        .matcher(Files.readString(source))
        .results()
        .collect(Collectors.toMap(found -> found.group(1), found -> users(found.group(2))));
  }

  private static List<String> users(@Nullable String names) {
    return names == null
        ? List.of()
        : Arrays.stream(names.split(",")).map(each -> each.strip() + "..").toList();
  }

  @Test
  void packages_ofAModule_haveNoCycle() {
    for (String module : List.of(TIME, CONDITION, IO)) {
      slices().assignedFrom(packagesOf(module)).should().beFreeOfCycles().check(PRODUCTION);
    }
  }

  private static SliceAssignment packagesOf(String module) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return resideInAPackage(module).test(type)
            ? SliceIdentifier.of(type.getPackageName())
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "packages of " + module;
      }
    };
  }

  @Test
  void ioInternals_anyClass_usesNoExportedPackage() {
    noClasses()
        .that(resideInAPackage("dev.rondo.io.internal.."))
        .should()
        .dependOnClassesThat(
            resideInAPackage(IO).and(not(resideInAPackage("dev.rondo.io.internal.."))))
        .check(PRODUCTION);
  }

  @Test
  void jdkInternals_inAllOfProduction_areUsedByTheContinuationBackendOnly() {
    Set<String> users =
        PRODUCTION.stream()
            .filter(type ->
                type.getDirectDependenciesFromSelf().stream()
                    .anyMatch(
                        it -> it.getTargetClass().getPackageName().startsWith("jdk.internal")))
            .map(ArchitectureTest::outermost)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of("dev.rondo.scheduler.coroutine.ContinuationBackend"), users);
  }

  @Test
  void jdkChannels_inAllOfProduction_areUsedByTheEpollTransportOnly() {
    noClasses()
        .that(not(resideInAPackage("dev.rondo.io.internal.linux")))
        .should()
        .dependOnClassesThat(resideInAPackage("sun.."))
        .check(PRODUCTION);
  }

  @Test
  void threadSleep_anywhereInProduction_isNotCalled() {
    noClasses()
        .should()
        .callMethodWhere(target(name("sleep")).and(target(owner(name(Thread.class.getName())))))
        .check(PRODUCTION);
  }

  /// The modules are marked as well, but a program on the class path sees the packages only.
  @Test
  void packages_ofProduction_areNullMarked() {
    for (JavaPackage it : PRODUCTION.getDefaultPackage().getSubpackagesInTree()) {
      if (!it.getClasses().isEmpty() && it.getName().startsWith("dev.rondo.")) {
        assertTrue(it.isAnnotatedWith(NullMarked.class), it.getName() + " is not @NullMarked");
      }
    }
  }

  private static void assertUsesNothingButItselfAnd(String module, String... allowed) {
    String[] permitted =
        Stream.concat(Stream.of(module), Stream.of(allowed)).toArray(String[]::new);
    classes()
        .that(resideInAPackage(module))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(permitted).or(not(resideInAPackage("dev.rondo.."))))
        .check(PRODUCTION);
  }

  private static String outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type.getName());
  }

  /// To compile a module that requires ours, one needs all that ours require `static transitive`.
  @Test
  void modules_anyOfOurs_forceNoOptionalLibraryOnThoseThatRequireIt() throws IOException {
    var forced = new ArrayList<String>();
    for (String module :
        List.of("scheduler-core", "addons-time", "addons-condition", "addons-io", "application")) {
      Path source = Path.of("..", module, "src", "main", "java", "module-info.java");
      for (String line : Files.readAllLines(source)) {
        if (line.matches(
            "\\s*requires (static transitive|transitive static) (?!java\\.|jdk\\.).*")) {
          forced.add(module + ":" + line.strip());
        }
      }
    }
    assertEquals(
        List.of("scheduler-core:requires static transitive org.jspecify;"), // Guava brings it
        forced);
  }
}
