package dev.rondo.benchmarks.calls;

/// A method that reports its calls.
///
/// @param className the binary name of its class
/// @param name as in the class file: `<init>` for a constructor
/// @param descriptor the types of its parameters and of its result
record Method(String className, String name, String descriptor) {

  private static final String LAMBDA = "lambda$";
  private static final String CONSTRUCTOR = "<init>";

  /// {@return whether the method is in the source, and was not added by the compiler}
  static boolean isOfSource(String name, boolean synthetic) {
    return !synthetic || name.startsWith(LAMBDA);
  }

  /// {@return the top-level class, with its package}
  String topLevelClassName() {
    int nested = className.indexOf('$');
    return nested < 0 ? className : className.substring(0, nested);
  }

  /// {@return class and method as the source has them, without the package}
  @Override
  public String toString() {
    String owner = className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
    if (name.equals(CONSTRUCTOR)) {
      return "new " + owner;
    }
    if (name.startsWith(LAMBDA)) {
      int end = name.lastIndexOf('$');
      return owner + "." + name.substring(LAMBDA.length(), end) + " (lambda)";
    }
    return owner + "." + name;
  }
}
