package dev.rondo.examples;

import dev.rondo.application.Application;

/// The program that the README's first command runs.
final class Demo {
  private Demo() {}

  public static void main(String[] args) {
    System.out.println(Application.describe());
  }
}
