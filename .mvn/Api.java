import static java.lang.classfile.ClassFile.ACC_ABSTRACT;
import static java.lang.classfile.ClassFile.ACC_PRIVATE;
import static java.lang.classfile.ClassFile.ACC_PROTECTED;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// Spares whatever is compiled against a module a compilation when the module has changed but its
/// API has not.
///
/// `mvn install -DskipTests` starts this program after it has packaged a module. Its answer, the
/// digest of the API, is the file `target/test-classes/module.api`, which is written only when the
/// API has changed:
///
/// - The contract suites, the only tests that `install -DskipTests` compiles, watch that file
///   instead of the classes.
/// - maven-compiler-plugin compiles another module again when a jar on its path has not the size
///   and time that the module's `dependencies.lst` has. If the API is the one of the jar before,
///   each entry of that jar becomes an entry of the new one; any other entry stays, and its module
///   compiles again. It does also if the plugin ever writes that file in another way.
///
/// The API is every class that is not private, local or anonymous, without its private and
/// package-private members and without the code of its methods.
final class Api {
  private Api() {}

  public static void main(String[] args) throws Exception {
    Path module = Path.of(args[0]);
    Path jar = Path.of(args[1]);
    Path apiFile = module.resolve("target/test-classes/module.api");
    Path jarFile = module.resolve("target/api-jar");

    String api = digest(module.resolve("target/classes"));
    String state = Files.size(jar) + ":" + Files.getLastModifiedTime(jar).toMillis();
    if (Files.exists(apiFile) && Files.readString(apiFile).equals(api)) {
      replace(module.getParent(), jar + "\t" + Files.readString(jarFile), jar + "\t" + state);
    } else {
      Files.createDirectories(apiFile.getParent());
      Files.writeString(apiFile, api);
    }
    Files.writeString(jarFile, state);
  }

  private static void replace(Path root, String entry, String by) throws IOException {
    List<Path> modules;
    try (Stream<Path> folders = Files.walk(root, 2)) {
      modules = folders.filter(folder -> Files.exists(folder.resolve("pom.xml"))).toList();
    }
    for (Path module : modules) {
      Path list =
          module.resolve(
              "target/maven-status/maven-compiler-plugin/compile/default-compile/dependencies.lst");
      if (Files.exists(list)) {
        List<String> was = Files.readAllLines(list);
        List<String> now =
            was.stream()
                .map(line -> line.endsWith(":" + entry) ? line.replace(entry, by) : line)
                .toList();
        if (!now.equals(was)) { // a module that does not depend on this one may be compiling
          Files.write(list, now);
        }
      }
    }
  }

  private static String digest(Path classes) throws Exception {
    var digest = MessageDigest.getInstance("SHA-256");
    List<Path> files;
    try (Stream<Path> found = Files.walk(classes)) {
      files = found.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    var format = ClassFile.of(ConstantPoolSharingOption.NEW_POOL);
    for (Path file : files) {
      ClassModel each = format.parse(file);
      int flags = flags(each);
      if (!each.findAttribute(Attributes.enclosingMethod()).isPresent()
          && (flags & ACC_PRIVATE) == 0) {
        digest.update((byte) (flags >> 8));
        digest.update((byte) flags);
        digest.update(format.transformClass(each, Api::withoutInternals));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /// As declared: of a nested class, the class file itself does not say whether it is private,
  /// protected or static.
  private static int flags(ClassModel type) {
    return type.findAttribute(Attributes.innerClasses()).stream()
        .flatMap(nested -> nested.classes().stream())
        .filter(nested -> nested.innerClass().equals(type.thisClass()))
        .findFirst()
        .map(InnerClassInfo::flagsMask)
        .orElse(type.flags().flagsMask());
  }

  private static void withoutInternals(ClassBuilder api, ClassElement element) {
    switch (element) {
      case MethodModel method when isInternal(method.flags().flagsMask()) -> {}
      case MethodModel method ->
          api.transformMethod(
              method,
              MethodTransform.dropping(
                  part -> part instanceof CodeModel || part instanceof MethodParametersAttribute));
      case FieldModel field when isInternal(field.flags().flagsMask()) -> {}
      case SourceFileAttribute _,
          InnerClassesAttribute _,
          NestHostAttribute _,
          NestMembersAttribute _ -> {}
      default -> api.with(element);
    }
  }

  /// An abstract method binds even the subclasses that cannot see it.
  private static boolean isInternal(int flags) {
    return (flags & (ACC_PUBLIC | ACC_PROTECTED | ACC_ABSTRACT)) == 0;
  }
}
