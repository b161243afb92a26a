package dev.rondo.simulation.threads.internal;

import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ReturnInstruction;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Calls the hook where a class initialiser begins and ends. It runs once in the JVM, in whatever
/// run comes first, so it must not draw from the chance of that run. A method that keeps for the
/// JVM what its first call has made is one, too.
///
/// For one method, on one thread.
final class InitialiserMark implements CodeTransform {

  private static final HookMethod BEGIN = HookMethod.hook("initialising", CD_void);
  private static final HookMethod END = HookMethod.hook("initialised", CD_void);

  /// Such methods.
  private static final Set<String> ONCE = Set.of("javax/net/ssl/SSLContext.getDefault");

  private @Nullable Label begin;

  /// {@return a class whose initialiser is marked; as it is if it has none}
  ///
  /// @param context finds the classes that it refers to
  static byte[] mark(ClassFile context, byte[] bytes) {
    ClassModel model = context.parse(bytes);
    return model.methods().stream().anyMatch(InitialiserMark::isInitialiser)
        ? context.transformClass(
            model,
            ClassTransform.transformingMethodBodies(
                InitialiserMark::isInitialiser, CodeTransform.ofStateful(InitialiserMark::new)))
        : bytes;
  }

  /// {@return whether a method is a class initialiser}
  static boolean isInitialiser(MethodModel method) {
    return method.methodName().equalsString(CLASS_INIT_NAME)
        || method
            .parent()
            .filter(type ->
                ONCE.contains(type.thisClass().asInternalName() + "." + method.methodName()))
            .isPresent();
  }

  @Override
  public void atStart(CodeBuilder code) {
    BEGIN.call(code);
    begin = code.newBoundLabel();
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      END.call(code);
    }
    code.with(element);
  }

  @Override
  public void atEnd(CodeBuilder code) {
    if (begin != null) {
      Label end = code.newBoundLabel();
      code.exceptionCatchAll(begin, end, end);
      END.call(code);
      code.athrow();
    }
  }
}
