package dev.rondo.ui;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command that runs a program of a test in its own JVM.
final class ChildJvm {

  private ChildJvm() {}

  static List<String> command(Class<?> program, List<String> options, String argument) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"));
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.add(argument);
    return command;
  }
}
