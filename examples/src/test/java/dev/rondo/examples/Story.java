package dev.rondo.examples;

import dev.rondo.application.Application;
import java.util.ArrayList;
import java.util.List;

/// The lines that a program of these examples tells.
public final class Story {

  /// A program that ends.
  public interface Program {
    List<String> run(Application app) throws Exception;
  }

  private Story() {}

  /// Runs a program in an application of its own.
  public static List<String> of(Program program) {
    var story = new ArrayList<String>();
    Application.run(app -> {
      story.addAll(program.run(app));
      app.stop();
    });
    return story;
  }
}
