package com.acme.threads;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.WorldHost;
import java.util.function.Consumer;

/// A program with several constructors.
public final class Constructors implements WorldHost.Main {

  /// A class of the program.
  public static final class Settings {

    /// Its constructor.
    public Settings() {}
  }

  private final Runnable main;

  /// @param told receives the number
  public Constructors(int number, Consumer<String> told) {
    this.main = () -> told.accept("number " + number);
  }

  /// @param told receives the text
  public Constructors(String text, Consumer<String> told) {
    this.main = () -> told.accept("text " + text);
  }

  /// @param texts the main method reports their number
  public Constructors(Object[] texts, Consumer<String> told) {
    this.main = () -> told.accept("texts " + texts.length);
  }

  /// @param settings of the program
  public Constructors(Settings settings) {
    this.main = () -> requireNonNull(settings);
  }

  @Override
  public void run(WorldHost host) {
    main.run();
  }
}
