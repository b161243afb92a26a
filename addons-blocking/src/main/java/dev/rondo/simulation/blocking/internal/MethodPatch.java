package dev.rondo.simulation.blocking.internal;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A change of one method of the JDK.
///
/// @param type the class of the method
/// @param method its name; `*` for all but those that initialise the class
/// @param descriptor its type; null for all methods of the name
/// @param change makes the change of one method
record MethodPatch(
    String type, String method, @Nullable String descriptor, Supplier<CodeTransform> change) {

  /// What a class keeps for all programs is made by the JDK.
  private static final Set<String> INITIALISERS = Set.of("<clinit>", "asyncCommonPool");

  boolean concerns(String name, String ofType) {
    boolean named = method.equals("*") ? !INITIALISERS.contains(name) : method.equals(name);
    return named && (descriptor == null || descriptor.equals(ofType));
  }

  /// {@return what is missing if there is no such method}
  @Override
  public String toString() {
    return type + "." + method;
  }

  /// Code at the beginning of a method.
  static CodeTransform before(Consumer<CodeBuilder> code) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        code.accept(builder);
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        builder.with(element);
      }
    };
  }

  /// Code before each return, which has the result on the stack.
  static CodeTransform beforeReturn(Consumer<CodeBuilder> code) {
    return (builder, element) -> {
      if (element instanceof ReturnInstruction) {
        code.accept(builder);
      }
      builder.with(element);
    };
  }

  /// Code before each return and each exception that the method throws itself.
  static CodeTransform atEnd(Consumer<CodeBuilder> code) {
    return (builder, element) -> {
      if (element instanceof ReturnInstruction || element instanceof ThrowInstruction) {
        code.accept(builder);
      }
      builder.with(element);
    };
  }

  /// Returns at once if the hook says so, which receives the parameters of the method.
  static CodeTransform returnIf(String hook, MethodTypeDesc hookType, TypeKind result) {
    return before(code -> {
      int slot = 0;
      for (ClassDesc each : hookType.parameterList()) {
        code.loadLocal(TypeKind.from(each), slot);
        slot += TypeKind.from(each).slotSize();
      }
      code.invokestatic(HookCalls.HOOK, hook, hookType);
      code.ifThen(then -> {
        switch (result) {
          case VOID -> then.return_();
          case REFERENCE -> then.aconst_null().areturn();
          default -> throw new IllegalArgumentException("returnIf of " + result);
        }
      });
    });
  }

  /// Returns what the hook knows at once, unless that is null. The hook receives the parameters of
  /// the method, which is static.
  static CodeTransform returnIfKnown(String hook, MethodTypeDesc hookType) {
    return before(code -> {
      for (int i = 0; i < hookType.parameterCount(); i++) {
        code.aload(i);
      }
      code.invokestatic(HookCalls.HOOK, hook, hookType);
      code.dup();
      code.ifThen(Opcode.IFNONNULL, then -> then.areturn());
      code.pop();
    });
  }

  /// Passes the result of each call of a method to the hook.
  static CodeTransform afterCall(String called, String hook, MethodTypeDesc hookType) {
    return (builder, element) -> {
      builder.with(element);
      if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
        builder.invokestatic(HookCalls.HOOK, hook, hookType);
      }
    };
  }

  /// Passes each value that is read of a static field to the hook.
  static CodeTransform afterRead(String field, String hook, MethodTypeDesc hookType) {
    return (builder, element) -> {
      builder.with(element);
      if (isRead(element, field)) {
        builder.invokestatic(HookCalls.HOOK, hook, hookType);
      }
    };
  }

  static boolean isRead(CodeElement element, String field) {
    return element instanceof FieldInstruction read
        && read.opcode() == Opcode.GETSTATIC
        && read.name().equalsString(field);
  }
}
