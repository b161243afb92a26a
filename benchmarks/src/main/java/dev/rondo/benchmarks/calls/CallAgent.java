package dev.rondo.benchmarks.calls;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.AccessFlag;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/// Makes each method of Rondo report its calls to the [CallLog] by a call inserted at its entry.
///
/// It counts calls that a reader of the source sees: of methods, constructors (also of
/// superclasses) and bodies of lambdas. It counts neither code that the compiler adds, such as
/// bridges, accessors and class initializers, nor calls to the JDK and other libraries.
public final class CallAgent {

  private static final String COUNTED = "dev/rondo/";
  private static final String TOOL = CallAgent.class.getPackageName().replace('.', '/') + "/";

  private static final ClassDesc LOG = ClassDesc.of(CallLog.class.getName());
  private static final MethodTypeDesc NUMBER_TO_VOID =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  /// Reads class files: a class that is being defined cannot be loaded.
  private static final ClassFile.ClassHierarchyResolverOption HIERARCHY =
      ClassFile.ClassHierarchyResolverOption.of(
          ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader())
              .orElse(ClassHierarchyResolver.defaultResolver())
              .cached());

  private CallAgent() {}

  /// Instruments all classes of Rondo, except this tool, when they are loaded. The JVM calls this
  /// before the main method.
  ///
  /// @param argument ignored
  /// @param instrumentation of this JVM
  public static void premain(@Nullable String argument, Instrumentation instrumentation) {
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte @Nullable [] transform(
              @Nullable ClassLoader loader,
              String name,
              @Nullable Class<?> redefined,
              @Nullable ProtectionDomain domain,
              byte[] classFile) {
            return name.startsWith(COUNTED) && !name.startsWith(TOOL)
                ? instrumented(classFile)
                : null;
          }
        });
  }

  /// {@return a class file whose methods report their calls}
  static byte[] instrumented(byte[] classFile) {
    ClassFile tool = ClassFile.of(HIERARCHY);
    ClassModel model = tool.parse(classFile);
    String className = model.thisClass().asInternalName().replace('/', '.');
    return tool.transformClass(
        model,
        ClassTransform.transformingMethods(
            CallAgent::isCounted,
            (builder, element) -> {
              if (element instanceof CodeModel code) {
                MethodModel method = code.parent().orElseThrow();
                builder.transformCode(code, reporting(numberOf(className, method)));
              } else {
                builder.with(element);
              }
            }));
  }

  private static boolean isCounted(MethodModel method) {
    String name = method.methodName().stringValue();
    return !name.equals(ConstantDescs.CLASS_INIT_NAME)
        && Method.isOfSource(name, method.flags().has(AccessFlag.SYNTHETIC));
  }

  private static int numberOf(String className, MethodModel method) {
    return CallLog.number(
        new Method(
            className, method.methodName().stringValue(), method.methodType().stringValue()));
  }

  private static CodeTransform reporting(int number) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        builder.loadConstant(number).invokestatic(LOG, "entered", NUMBER_TO_VOID);
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        builder.with(element);
      }
    };
  }
}
