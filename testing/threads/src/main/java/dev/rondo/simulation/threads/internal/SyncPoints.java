package dev.rondo.simulation.threads.internal;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import dev.rondo.simulation.threads.internal.race.ClassFacts;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Calls the hook where a method acquires or releases an object, which orders accesses of threads:
/// at monitors, at calls of `VarHandle` and `Unsafe` with an order, and in the JDK at volatile
/// fields.
///
/// For one method, on one thread.
final class SyncPoints implements CodeTransform {

  private static final HookMethod ACQUIRES = HookMethod.race("acquires", CD_void, CD_Object);
  private static final HookMethod RELEASES = HookMethod.race("releases", CD_void, CD_Object);
  private static final HookMethod BOTH = HookMethod.race("acquiresAndReleases", CD_void, CD_Object);

  private static final Pattern OWNERS =
      Pattern.compile("java/lang/invoke/VarHandle|jdk/internal/misc/Unsafe");

  private static final Pattern ACQUIRING = Pattern.compile("get\\w*(Volatile|Acquire)");
  private static final Pattern RELEASING = Pattern.compile("(set|put)\\w*(Volatile|Release)");
  private static final Pattern ACTING =
      Pattern.compile("(weakC|c)ompareAnd(Set|Exchange)(?!\\w*Plain)\\w*|getAnd\\w+");

  /// Classes of the JDK by which threads are ordered.
  private static final Pattern OF_JDK =
      Pattern.compile(
          "java\\.util\\.(concurrent\\..*|Timer\\w*|TaskQueue|Vector.*|Stack|Hashtable.*"
              + "|Collections\\$Synchronized.*)"
              + "|java\\.lang\\.StringBuffer|java\\.io\\.Piped\\w*");

  private final ClassDesc self;
  private final boolean constructs;
  private final boolean locks;
  private final boolean isStatic;

  /// Null if volatile fields are none of its concern.
  private final @Nullable ClassFacts facts;

  private @Nullable Label begin;

  private SyncPoints(ClassModel model, MethodModel method, @Nullable ClassFacts facts) {
    self = model.thisClass().asSymbol();
    constructs = method.methodName().equalsString(INIT_NAME);
    locks = method.flags().has(AccessFlag.SYNCHRONIZED);
    isStatic = method.flags().has(AccessFlag.STATIC);
    this.facts = facts;
  }

  /// {@return whether threads are ordered by a class of the JDK}
  ///
  /// @param name with dots
  static boolean concerns(String name) {
    return OF_JDK.matcher(name).matches();
  }

  /// {@return the changes of a method of a program, whose volatile fields have points}
  static CodeTransform ofProgram(ClassModel model, MethodModel method) {
    return CodeTransform.ofStateful(() -> new SyncPoints(model, method, null));
  }

  /// {@return the changes of a method of the JDK}
  static CodeTransform ofJdk(ClassModel model, MethodModel method, ClassFacts facts) {
    return CodeTransform.ofStateful(() -> new SyncPoints(model, method, facts));
  }

  @Override
  public void atStart(CodeBuilder code) {
    if (locks) {
      loadLock(code);
      ACQUIRES.call(code);
      begin = code.newBoundLabel();
    }
  }

  private void loadLock(CodeBuilder code) {
    if (isStatic) {
      code.loadConstant(self);
    } else {
      code.aload(0);
    }
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    switch (element) {
      case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER -> {
        code.dup();
        code.with(element);
        ACQUIRES.call(code);
        return;
      }
      case MonitorInstruction _ -> {
        code.dup();
        RELEASES.call(code);
      }
      case ReturnInstruction _ when locks -> {
        loadLock(code);
        RELEASES.call(code);
      }
      case FieldInstruction access when isVolatile(access) -> field(code, access);
      case InvokeInstruction call when call.opcode() == Opcode.INVOKEVIRTUAL -> call(code, call);
      default -> {}
    }
    code.with(element);
  }

  @Override
  public void atEnd(CodeBuilder code) {
    if (begin != null) {
      Label end = code.newBoundLabel();
      code.exceptionCatchAll(begin, end, end);
      loadLock(code);
      RELEASES.call(code);
      code.athrow();
    }
  }

  private boolean isVolatile(FieldInstruction access) {
    String owner = access.owner().asInternalName();
    boolean unborn =
        constructs && access.opcode() == Opcode.PUTFIELD && access.owner().asSymbol().equals(self);
    return facts != null
        && !unborn
        && concerns(owner.replace('/', '.'))
        && facts.isVolatile(null, owner, access.name().stringValue());
  }

  private static void field(CodeBuilder code, FieldInstruction access) {
    switch (access.opcode()) {
      case GETFIELD -> {
        code.dup();
        ACQUIRES.call(code);
      }
      case PUTFIELD -> {
        TypeKind type = TypeKind.from(access.typeSymbol());
        int value = RacePoints.keep(code, type);
        code.dup();
        RELEASES.call(code);
        code.loadLocal(type, value);
      }
      case GETSTATIC -> {
        code.loadConstant(access.owner().asInternalName());
        ACQUIRES.call(code);
      }
      default -> {
        code.loadConstant(access.owner().asInternalName());
        RELEASES.call(code);
      }
    }
  }

  private static void call(CodeBuilder code, InvokeInstruction call) {
    List<ClassDesc> parameters = call.typeSymbol().parameterList();
    HookMethod orders = orders(call.name().stringValue());
    if (orders == null
        || !OWNERS.matcher(call.owner().asInternalName()).matches()
        || parameters.isEmpty()
        || parameters.getFirst().isPrimitive()) {
      return;
    }
    var slots = new int[parameters.size()];
    for (int i = slots.length - 1; i > 0; i--) {
      slots[i] = RacePoints.keep(code, TypeKind.from(parameters.get(i)));
    }
    code.dup();
    orders.call(code);
    for (int i = 1; i < slots.length; i++) {
      code.loadLocal(TypeKind.from(parameters.get(i)), slots[i]);
    }
  }

  private static @Nullable HookMethod orders(String name) {
    if (ACTING.matcher(name).matches()) {
      return BOTH;
    }
    if (ACQUIRING.matcher(name).matches()) {
      return ACQUIRES;
    }
    return RELEASING.matcher(name).matches() ? RELEASES : null;
  }
}
