package dev.rondo.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A page of the documentation: Markdown as this project writes it.
///
/// @param path from the root of the project
/// @param text all of it
record DocsPage(Path path, String text) {

  /// Seen from the folder that tests run in.
  static final Path ROOT = Path.of("..");

  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  /// All pages.
  static List<DocsPage> all() {
    var pages = new ArrayList<DocsPage>();
    for (Map.Entry<String, Integer> folder :
        Map.of(".", 1, "docs", 2, "benchmarks/results", 1).entrySet()) {
      Path root = ROOT.resolve(folder.getKey());
      try (Stream<Path> files = Files.walk(root, folder.getValue())) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .sorted()
            .forEach(file -> pages.add(of(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return pages;
  }

  /// {@return the folders of all modules of the build}
  static List<Path> modules() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(module -> ROOT.resolve(module.group(1)))
        .toList();
  }

  /// {@return the page of that name}
  static DocsPage named(String path) {
    return of(ROOT.resolve(path));
  }

  private static DocsPage of(Path file) {
    try {
      return new DocsPage(ROOT.relativize(file).normalize(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// {@return the fenced blocks of a language}
  List<String> blocks(String language) {
    return FENCED
        .matcher(text)
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  /// {@return the text without its fenced blocks}
  String prose() {
    return FENCED.matcher(text).replaceAll("");
  }

  /// {@return the inline code}
  List<String> code() {
    return code(prose());
  }

  /// {@return the inline code of a part of a page}
  static List<String> code(String text) {
    return CODE.matcher(text).results().map(code -> code.group(1)).toList();
  }

  /// {@return the names by which links find the headings, as GitHub makes them}
  Set<String> anchors() {
    return HEADING
        .matcher(prose())
        .results()
        .map(MatchResult::group)
        .map(heading ->
            heading
                .replaceFirst("^#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
