package dev.rondo.simulation.threads.internal;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import dev.rondo.simulation.threads.internal.race.ClassFacts;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Calls the hook before each access to memory that threads may share: fields that are not final,
/// elements of arrays, monitors, and calls of the concurrent classes and the collections of the
/// JDK, which stay whole.
///
/// For one class, on one thread.
final class RacePoints {

  private static final HookMethod POINT =
      HookMethod.race("point", CD_void, CD_Object, CD_int, CD_String, CD_String, CD_int);

  private static final String READS = "reads";
  private static final String WRITES = "writes";
  private static final String READS_VOLATILE = "reads volatile";
  private static final String WRITES_VOLATILE = "writes volatile";
  private static final String CALLS = "calls";
  private static final String LOCKS = "locks";
  private static final int NO_INDEX = -1;

  /// Classes of the JDK whose objects threads share.
  private static final Pattern SHARED =
      Pattern.compile(
          "java/util/concurrent/.*|java/lang/invoke/VarHandle"
              + "|java/util/([A-Z]\\w*)?"
              + "(Collection|List|Map|Set|Deque|Queue|Vector|Stack|Hashtable|Properties|Iterator)");

  private final ClassModel model;
  private final String self;
  private final int packages;
  private final ClassFacts facts;
  private final @Nullable ClassLoader loader;

  private RacePoints(
      ClassModel model, int packages, ClassFacts facts, @Nullable ClassLoader loader) {
    this.model = model;
    this.self = model.thisClass().asInternalName();
    this.packages = packages;
    this.facts = facts;
    this.loader = loader;
  }

  /// {@return a class with points}
  ///
  /// @param packages a bit for each that it belongs to
  /// @param loader has the class files that it refers to; null for that of the JDK
  static byte[] add(
      ClassFile context,
      byte[] bytes,
      int packages,
      ClassFacts facts,
      @Nullable ClassLoader loader) {
    ClassModel model = context.parse(bytes);
    facts.add(model);
    var points = new RacePoints(model, packages, facts, loader);
    return context.transformClass(
        model,
        (builder, element) -> {
          if (element instanceof MethodModel method
              && !method.methodName().equalsString(CLASS_INIT_NAME)) {
            builder.transformMethod(
                method,
                MethodTransform.transformingCode(
                    points.ofMethod(method).andThen(SyncPoints.ofProgram(model, method))));
          } else {
            builder.with(element);
          }
        });
  }

  private CodeTransform ofMethod(MethodModel method) {
    boolean constructs = method.methodName().equalsString(INIT_NAME);
    return (code, element) -> {
      before(code, element, constructs);
      code.with(element);
    };
  }

  private void before(CodeBuilder code, CodeElement element, boolean constructs) {
    switch (element) {
      case FieldInstruction access when mayRace(access, constructs) -> field(code, access);
      case ArrayLoadInstruction _ -> {
        code.dup2();
        point(code, READS, "an element");
      }
      case ArrayStoreInstruction store -> {
        int value = keep(code, store.typeKind());
        code.dup2();
        point(code, WRITES, "an element");
        code.loadLocal(store.typeKind(), value);
      }
      case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER -> {
        code.dup().loadConstant(NO_INDEX);
        point(code, LOCKS, "a monitor");
      }
      case InvokeInstruction call when mayRace(call) -> call(code, call);
      default -> {}
    }
  }

  /// A constructor writes fields that no other thread has seen, and perhaps before its object is
  /// one.
  private boolean mayRace(FieldInstruction access, boolean constructs) {
    String owner = access.owner().asInternalName();
    boolean own = owner.equals(self);
    return !(constructs && own && access.opcode() == Opcode.PUTFIELD)
        && !facts.isFinal(loader, owner, access.name().stringValue());
  }

  private void field(CodeBuilder code, FieldInstruction access) {
    String field = access.name().stringValue();
    String owner = facts.owner(loader, access.owner().asInternalName(), field);
    String name = owner.replace('/', '.') + "." + field;
    boolean isVolatile = facts.isVolatile(loader, owner, field);
    String reads = isVolatile ? READS_VOLATILE : READS;
    String writes = isVolatile ? WRITES_VOLATILE : WRITES;
    TypeKind type = TypeKind.from(access.typeSymbol());
    switch (access.opcode()) {
      case GETSTATIC -> {
        code.aconst_null().loadConstant(NO_INDEX);
        point(code, reads, name);
      }
      case PUTSTATIC -> {
        code.aconst_null().loadConstant(NO_INDEX);
        point(code, writes, name);
      }
      case GETFIELD -> {
        code.dup().loadConstant(NO_INDEX);
        point(code, reads, name);
      }
      default -> {
        int value = keep(code, type);
        code.dup().loadConstant(NO_INDEX);
        point(code, writes, name);
        code.loadLocal(type, value);
      }
    }
  }

  private boolean mayRace(InvokeInstruction call) {
    if (call.name().equalsString(INIT_NAME)) {
      return false;
    }
    String owner = call.owner().asInternalName();
    return SHARED.matcher(owner).matches() ? call.opcode() != Opcode.INVOKESTATIC : locks(call);
  }

  private boolean locks(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    return !owner.startsWith("java/")
        && facts.locks(loader, owner, call.name().stringValue() + call.type().stringValue());
  }

  private void call(CodeBuilder code, InvokeInstruction call) {
    String name = call.owner().asInternalName().replace('/', '.') + "." + call.name();
    String does = SHARED.matcher(call.owner().asInternalName()).matches() ? CALLS : LOCKS;
    if (call.opcode() == Opcode.INVOKESTATIC) {
      code.aconst_null().loadConstant(NO_INDEX);
      point(code, does, name);
      return;
    }
    List<ClassDesc> parameters = call.typeSymbol().parameterList();
    var slots = new int[parameters.size()];
    for (int i = slots.length - 1; i >= 0; i--) {
      slots[i] = keep(code, TypeKind.from(parameters.get(i)));
    }
    code.dup().loadConstant(NO_INDEX);
    point(code, does, name);
    for (int i = 0; i < slots.length; i++) {
      code.loadLocal(TypeKind.from(parameters.get(i)), slots[i]);
    }
  }

  /// Takes a value from the stack. {@return the variable that has it}
  static int keep(CodeBuilder code, TypeKind type) {
    int slot = code.allocateLocal(type);
    code.storeLocal(type, slot);
    return slot;
  }

  /// The object and the index are on the stack.
  private void point(CodeBuilder code, String does, String what) {
    code.loadConstant(does).loadConstant(what).loadConstant(packages);
    POINT.call(code);
  }

  /// {@return its name, with slashes}
  @Override
  public String toString() {
    return "points of " + model.thisClass().asInternalName();
  }
}
