package dev.rondo.simulation.internal.agent;

import static java.lang.classfile.ClassFile.ACC_PRIVATE;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.lang.classfile.ClassFile.ACC_SYNTHETIC;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Rewrites the calls of a [CallTable] in one class.
///
/// A method reference has no code to rewrite: it becomes one to a private method of the class that
/// makes the call.
///
/// For one class, on one thread.
public final class CallRewriter {

  private static final String REFERENCE = "rondo$reference$";

  /// A method that a reference was turned to.
  ///
  /// @param line of the reference; 0 if the class file does not say
  private record Bridge(
      String name, MethodTypeDesc type, CalledMethod called, CallTable.Replacement by, int line) {}

  private final CallTable table;
  private final ClassModel model;
  private final ClassDesc self;
  private final boolean mayAddMethods;
  private final List<Bridge> bridges = new ArrayList<>();
  private int line;

  private CallRewriter(CallTable table, ClassModel model, boolean mayAddMethods) {
    this.table = table;
    this.model = model;
    this.self = model.thisClass().asSymbol();
    this.mayAddMethods = mayAddMethods;
  }

  /// {@return a class with its calls rewritten; null if it has none of them}
  ///
  /// @param table which calls, and what they become
  /// @param bytes of the class file
  /// @param mayAddMethods whether the class may have more methods than before; if not, method
  ///   references stay as they are
  /// @param loader of the class, whose resources have the classes that it refers to; null for the
  ///   loader of the JDK
  public static byte @Nullable [] rewrite(
      CallTable table, byte[] bytes, boolean mayAddMethods, @Nullable ClassLoader loader) {
    ClassFile context = context(loader);
    ClassModel model = context.parse(bytes);
    var rewriter = new CallRewriter(table, model, mayAddMethods);
    return rewriter.hasAny()
        ? context.transformClass(
            model,
            ClassTransform.ofStateful(() -> rewriter::rewrite)
                .andThen(ClassTransform.endHandler(rewriter::addBridges)))
        : null;
  }

  /// {@return what parses and writes the classes of a loader}
  ///
  /// @param loader null for the loader of the JDK
  public static ClassFile context(@Nullable ClassLoader loader) {
    // of resources at first: to load a class while another is being defined may fail
    ClassHierarchyResolver hierarchy =
        loader == null
            ? ClassHierarchyResolver.defaultResolver()
            : ClassHierarchyResolver.ofResourceParsing(loader)
                .orElse(ClassHierarchyResolver.defaultResolver());
    return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy));
  }

  private boolean hasAny() {
    return names(table, model);
  }

  /// {@return whether a class names one of the methods at all}
  ///
  /// @param table which methods
  /// @param model of the class
  public static boolean names(CallTable table, ClassModel model) {
    return StreamSupport.stream(model.constantPool().spliterator(), false)
        .filter(MemberRefEntry.class::isInstance)
        .map(MemberRefEntry.class::cast)
        .filter(entry -> entry.type().stringValue().startsWith("("))
        .anyMatch(entry -> table.replacementOf(named(entry)) != null);
  }

  /// As it is for [#names], which cannot know how the method is called.
  private static CalledMethod named(MemberRefEntry entry) {
    return new CalledMethod(
        java.lang.classfile.Opcode.INVOKEVIRTUAL,
        entry.owner().asSymbol(),
        entry.name().stringValue(),
        MethodTypeDesc.ofDescriptor(entry.type().stringValue()),
        false);
  }

  private void rewrite(ClassBuilder builder, ClassElement element) {
    if (element instanceof MethodModel method) {
      builder.transformMethod(method, MethodTransform.transformingCode(this::rewrite));
    } else {
      builder.with(element);
    }
  }

  private void rewrite(CodeBuilder code, CodeElement element) {
    switch (element) {
      case LineNumber number -> {
        line = number.line();
        code.with(number);
      }
      case InvokeInstruction call -> {
        CalledMethod called = CalledMethod.of(call);
        CallTable.Replacement by = table.replacementOf(called);
        if (by == null) {
          code.with(call);
        } else {
          by.writeTo(code, called);
        }
      }
      case InvokeDynamicInstruction site when mayAddMethods -> rewrite(code, site);
      default -> code.with(element);
    }
  }

  private void rewrite(CodeBuilder code, InvokeDynamicInstruction site) {
    List<ConstantDesc> arguments = new ArrayList<>(site.bootstrapArgs());
    arguments.replaceAll(this::bridged);
    if (arguments.equals(site.bootstrapArgs())) {
      code.with(site);
    } else {
      code.invokedynamic(
          DynamicCallSiteDesc.of(
              site.bootstrapMethod(),
              site.name().stringValue(),
              site.typeSymbol(),
              arguments.toArray(ConstantDesc[]::new)));
    }
  }

  /// {@return what an argument of a bootstrap method becomes}
  private ConstantDesc bridged(ConstantDesc argument) {
    if (!(argument instanceof DirectMethodHandleDesc handle)) {
      return argument;
    }
    CalledMethod called = CalledMethod.of(handle).orElse(null);
    CallTable.Replacement by = called == null ? null : table.replacementOf(called);
    if (called == null || by == null) {
      return argument;
    }
    String method = called.isConstructor() ? "new" : called.name();
    var bridge =
        new Bridge(
            REFERENCE + bridges.size() + "$" + method, handle.invocationType(), called, by, line);
    bridges.add(bridge);
    boolean ofInterface = model.flags().has(java.lang.reflect.AccessFlag.INTERFACE);
    return MethodHandleDesc.ofMethod(
        ofInterface
            ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC
            : DirectMethodHandleDesc.Kind.STATIC,
        self,
        bridge.name,
        bridge.type);
  }

  private void addBridges(ClassBuilder builder) {
    for (Bridge bridge : bridges) {
      builder.withMethodBody(
          bridge.name,
          bridge.type,
          ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC,
          code -> write(code, bridge));
    }
  }

  private static void write(CodeBuilder code, Bridge bridge) {
    if (bridge.line > 0) {
      code.lineNumber(bridge.line);
    }
    if (bridge.called.isConstructor()) {
      code.new_(bridge.called.owner()).dup();
    }
    for (int i = 0; i < bridge.type.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(bridge.type.parameterType(i)), code.parameterSlot(i));
    }
    bridge.by.writeTo(code, bridge.called);
    code.return_(TypeKind.from(bridge.type.returnType()));
  }
}
