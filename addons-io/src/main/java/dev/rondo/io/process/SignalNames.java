package dev.rondo.io.process;

import dev.rondo.io.internal.JvmSignals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The names of signals. Their numbers differ between systems, so the JVM is asked for them.
final class SignalNames {

  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private static final Map<Integer, String> BY_NUMBER = byNumber();

  private SignalNames() {}

  private static Map<Integer, String> byNumber() {
    var found = new HashMap<Integer, String>();
    for (String name : NAMES) {
      found.put(JvmSignals.number(name), name);
    }
    return found;
  }

  /// {@return the name of a signal, without SIG; its number if it has none}
  static String of(int signal) {
    return BY_NUMBER.getOrDefault(signal, Integer.toString(signal));
  }
}
