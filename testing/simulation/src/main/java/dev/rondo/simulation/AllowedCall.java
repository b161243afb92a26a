package dev.rondo.simulation;

/// Calls that may leave a simulation; `*` stands for any text.
///
/// @param caller class and method
/// @param called what they call, `java.lang.System.nanoTime()` for instance
record AllowedCall(String caller, String called) {

  boolean covers(String caller, String called) {
    return OutsideRules.matches(this.caller, caller) && OutsideRules.matches(this.called, called);
  }
}
