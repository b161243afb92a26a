import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// Checks (`check`) or rewrites (`apply`) every Java source of the project with google-java-format.
///
/// The root `pom.xml` starts this with the toolchain's `java`, because the formatter uses the
/// compiler of the JVM it runs on and Maven's own may be older than our sources.
final class Format {
  private Format() {}

  public static void main(String[] args) throws Exception {
    boolean apply =
        switch (args[0]) {
          case "apply" -> true;
          case "check" -> false;
          default ->
              throw new IllegalArgumentException("-Dformat must be check or apply, was " + args[0]);
        };
    var arguments = new ArrayList<String>();
    arguments.addAll(apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    List<String> sources = sources(Path.of(""));
    arguments.addAll(sources);
    int exit =
        new Main(new PrintWriter(System.out, true), new PrintWriter(System.err, true), System.in)
            .format(arguments.toArray(String[]::new));
    if (exit == 0) {
      System.out.println("google-java-format: " + sources.size() + " sources in order");
    } else if (!apply) {
      System.err.println(
          "google-java-format: the files named above are not formatted (or do not parse). Apply it:"
              + " mvn -q -N verify -Dformat=apply");
    }
    System.exit(exit);
  }

  private static List<String> sources(Path root) throws IOException {
    var found = new ArrayList<String>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skipped =
                name.equals("target") || (name.startsWith(".") && !name.equals(".mvn"));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              found.add(file.toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found.stream().sorted().toList();
  }
}
