package dev.rondo.simulation.threads.internal;

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
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A change of one method of the JDK.
///
/// @param type the class of the method
/// @param method its name; `*` for all but initialisers of the class
/// @param descriptor its type; null for all methods of the name
/// @param change of one method
record MethodPatch(String type, String method, @Nullable String descriptor, Change change) {

  /// How a method is changed.
  ///
  /// @param place what it has to have for that, for the reader; empty for nothing but its code
  /// @param maker makes the change of one method, which runs its argument when it has found the
  ///   place
  record Change(String place, Function<Runnable, CodeTransform> maker) {

    private static Change of(Function<Runnable, CodeTransform> maker) {
      return new Change("", maker);
    }

    /// {@return this change, and another one of the result}
    Change and(Change other) {
      return new Change(
          place + other.place, found -> maker.apply(found).andThen(other.maker.apply(found)));
    }
  }

  /// {@return a change of all methods of a name}
  static MethodPatch patch(String type, String method, Change change) {
    return new MethodPatch(type, method, null, change);
  }

  /// {@return a change of one method}
  static MethodPatch patch(String type, String method, String descriptor, Change change) {
    return new MethodPatch(type, method, descriptor, change);
  }

  /// {@return a change of what may be in any method of a class}
  static MethodPatch anyMethod(String type, Change change) {
    return new MethodPatch(type, "*", null, change);
  }

  /// The JDK makes the objects that a class keeps for all programs.
  private static final Set<String> INITIALISERS = Set.of("<clinit>", "asyncCommonPool");

  boolean concerns(String name, String ofType) {
    boolean named = method.equals("*") ? !INITIALISERS.contains(name) : method.equals(name);
    return named && (descriptor == null || descriptor.equals(ofType));
  }

  /// {@return what changes a method}
  ///
  /// @param found runs when the method has what the change is about
  CodeTransform change(Runnable found) {
    return change.maker.apply(found);
  }

  /// {@return what is missing if nothing was changed}
  @Override
  public String toString() {
    return type + "." + method + change.place;
  }

  /// Code at the beginning of a method.
  static Change before(Consumer<CodeBuilder> code) {
    return Change.of(found ->
        new CodeTransform() {
          @Override
          public void atStart(CodeBuilder builder) {
            found.run();
            code.accept(builder);
          }

          @Override
          public void accept(CodeBuilder builder, CodeElement element) {
            builder.with(element);
          }
        });
  }

  /// A call of the hook at the beginning of a method.
  static Change before(HookMethod hook) {
    return before(hook::call);
  }

  /// Code before each element of a kind.
  private static Change beforeEach(Predicate<CodeElement> kind, Consumer<CodeBuilder> code) {
    return Change.of(found ->
        (builder, element) -> {
          if (kind.test(element)) {
            found.run();
            code.accept(builder);
          }
          builder.with(element);
        });
  }

  /// Code before each return, which has the result on the stack.
  private static Change beforeReturn(Consumer<CodeBuilder> code) {
    return beforeEach(ReturnInstruction.class::isInstance, code);
  }

  /// A call of the hook before each return, which receives the result.
  static Change result(HookMethod hook) {
    return beforeReturn(hook::call);
  }

  /// A call of the hook before each return, which receives the result and the object.
  static Change resultOn(HookMethod hook) {
    return beforeReturn(code -> {
      code.aload(0);
      hook.call(code);
    });
  }

  /// A call of the hook before each return, which receives a parameter.
  ///
  /// @param slot of the parameter, among the variables of the method
  static Change beforeReturnWith(int slot, HookMethod hook) {
    return beforeReturn(code -> {
      load(code, hook.type().parameterType(0), slot);
      hook.call(code);
    });
  }

  /// A call of the hook at the beginning of a method, which receives the object.
  static Change beforeOn(HookMethod hook) {
    return beforeWith(0, hook);
  }

  /// A call of the hook at the beginning of a method, which receives a parameter.
  ///
  /// @param slot of the parameter, among the variables of the method
  static Change beforeWith(int slot, HookMethod hook) {
    return before(code -> {
      load(code, hook.type().parameterType(0), slot);
      hook.call(code);
    });
  }

  /// A call of the hook at the beginning of a method, which receives a field of the object.
  ///
  /// @param type of the field
  static Change beforeOnField(ClassDesc owner, String field, ClassDesc type, HookMethod hook) {
    return before(code -> {
      code.aload(0).getfield(owner, field, type);
      hook.call(code);
    });
  }

  /// A call of the hook at the beginning of a method, which receives a text.
  static Change beforeSaying(String text, HookMethod hook) {
    return before(code -> {
      code.loadConstant(text);
      hook.call(code);
    });
  }

  /// Takes what the hook returns for a parameter in its place.
  ///
  /// @param slot of the parameter, among the variables of the method
  static Change inPlaceOf(int slot, HookMethod hook) {
    return before(code -> {
      load(code, hook.type().parameterType(0), slot);
      hook.call(code);
      code.storeLocal(TypeKind.from(hook.type().returnType()), slot);
    });
  }

  private static void load(CodeBuilder code, ClassDesc type, int slot) {
    code.loadLocal(TypeKind.from(type), slot);
  }

  /// A call of the hook before each exception that the method throws itself, which receives the
  /// object.
  static Change beforeThrowOn(HookMethod hook) {
    return beforeEach(
        ThrowInstruction.class::isInstance,
        code -> {
          code.aload(0);
          hook.call(code);
        });
  }

  /// A call of the hook before each return and each exception that the method throws itself.
  static Change atEnd(HookMethod hook) {
    return beforeEach(
        element -> element instanceof ReturnInstruction || element instanceof ThrowInstruction,
        hook::call);
  }

  /// Returns at once if the hook says so, which receives the parameters of the method.
  static Change returnIf(HookMethod hook) {
    return returnIf(0, hook);
  }

  /// Returns at once if the hook says so, which receives the parameters of the method.
  ///
  /// @param first the slot of the first one that it receives
  static Change returnIf(int first, HookMethod hook) {
    return before(code -> {
      loadAll(code, hook.type().parameterList(), first);
      hook.call(code);
      code.ifThen(then -> then.return_());
    });
  }

  /// Returns at once if the hook says so, which receives a subject and the parameters of the
  /// method.
  ///
  /// @param first the slot of the first parameter that it receives
  static Change returnIf(Consumer<CodeBuilder> subject, int first, HookMethod hook) {
    return before(code -> {
      subject.accept(code);
      loadAll(code, hook.type().parameterList().subList(1, hook.type().parameterCount()), first);
      hook.call(code);
      code.ifThen(then -> then.return_());
    });
  }

  /// Does something else in the place of a method of an object, if a hook says so.
  ///
  /// @param subject what is asked about
  /// @param when says so of it
  /// @param instead receives it, and the parameters of the method
  static Change insteadIf(Consumer<CodeBuilder> subject, HookMethod when, HookMethod instead) {
    List<ClassDesc> types = instead.type().parameterList();
    return before(code -> {
      subject.accept(code);
      when.call(code);
      code.ifThen(then -> {
        subject.accept(then);
        loadAll(then, types.subList(1, types.size()), 1);
        instead.call(then);
        then.return_(TypeKind.from(instead.type().returnType()));
      });
    });
  }

  private static void loadAll(CodeBuilder code, List<ClassDesc> types, int first) {
    int slot = first;
    for (ClassDesc each : types) {
      load(code, each, slot);
      slot += TypeKind.from(each).slotSize();
    }
  }

  /// Returns what the hook knows at once, unless that is null. The hook receives the parameters of
  /// a static method, or the object.
  static Change returnIfKnown(HookMethod hook) {
    return before(code -> {
      for (int i = 0; i < hook.type().parameterCount(); i++) {
        code.aload(i);
      }
      hook.call(code);
      code.dup();
      code.ifThen(Opcode.IFNONNULL, then -> then.areturn());
      code.pop();
    });
  }

  /// Passes the result of each call of a method to the hook.
  static Change afterCall(String called, HookMethod hook) {
    return new Change(
        " that calls " + called,
        found ->
            (builder, element) -> {
              builder.with(element);
              if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
                found.run();
                hook.call(builder);
              }
            });
  }

  /// Leaves out each call of a method, which has no parameters, if the hook says so of its object.
  static Change insteadOfCall(String called, HookMethod hook) {
    return new Change(
        " that calls " + called,
        found ->
            (builder, element) -> {
              if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
                found.run();
                builder.dup();
                hook.call(builder);
                builder.ifThenElse(done -> done.pop(), real -> real.with(call));
              } else {
                builder.with(element);
              }
            });
  }

  /// Passes each value that is read of a static field to the hook.
  static Change afterRead(String field, HookMethod hook) {
    return new Change(
        reads(field),
        found ->
            (builder, element) -> {
              builder.with(element);
              if (isRead(element, field)) {
                found.run();
                hook.call(builder);
              }
            });
  }

  /// Takes other code in the place of each read and write of a static field.
  static Change accesses(String field, BiConsumer<CodeBuilder, FieldInstruction> by) {
    return new Change(
        reads(field),
        found ->
            (builder, element) -> {
              if (element instanceof FieldInstruction access
                  && (access.opcode() == Opcode.GETSTATIC || access.opcode() == Opcode.PUTSTATIC)
                  && access.name().equalsString(field)) {
                found.run();
                by.accept(builder, access);
              } else {
                builder.with(element);
              }
            });
  }

  /// Takes another value in the place of each that is read of a static field.
  static Change insteadOfRead(String field, Consumer<CodeBuilder> value) {
    return new Change(
        reads(field),
        found ->
            (builder, element) -> {
              if (isRead(element, field)) {
                found.run();
                value.accept(builder);
              } else {
                builder.with(element);
              }
            });
  }

  private static String reads(String field) {
    return " that reads " + field;
  }

  private static boolean isRead(CodeElement element, String field) {
    return element instanceof FieldInstruction read
        && read.opcode() == Opcode.GETSTATIC
        && read.name().equalsString(field);
  }
}
