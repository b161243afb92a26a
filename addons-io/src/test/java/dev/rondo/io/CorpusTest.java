package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.dns.DnsFuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs the fuzz targets on known interesting inputs and on variations of them. Inputs that Jazzer
/// finds go to `src/test/resources/corpus`. To look for more, for ten minutes:
///
/// `mvn -q -pl addons-io -am test-compile -Dfuzz=StreamFuzz -Dcorpus=stream -Dseconds=600`
class CorpusTest {

  private static final int VARIATIONS = 60;

  /// A parser of bytes from outside.
  @SuppressWarnings("ImmutableEnumChecker") // a method is
  enum Target {
    DNS(DnsFuzz::fuzzerTestOneInput),
    STREAM(StreamFuzz::fuzzerTestOneInput),
    TLS(TlsFuzz::fuzzerTestOneInput);

    @FunctionalInterface
    interface Body {
      void run(byte[] input) throws Throwable;
    }

    private final Body body;

    Target(Body body) {
      this.body = body;
    }

    private void run(byte[] input) {
      try {
        body.run(input);
      } catch (Throwable e) {
        throw new AssertionError(this + " on " + HexFormat.of().formatHex(input), e);
      }
    }

    private List<Path> corpus() throws Exception {
      var folder = Path.of("src", "test", "resources", "corpus", name().toLowerCase(Locale.ROOT));
      try (var files = Files.list(folder)) {
        return files.sorted().toList();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anyBytes_failTypedOrNotAtAll(Target target) throws Exception {
    var random = new Random(20);
    List<Path> corpus = target.corpus();
    assertTrue(corpus.size() >= 2, corpus::toString);
    for (Path each : corpus) {
      byte[] seed = Files.readAllBytes(each);
      target.run(seed);
      for (int i = 0; i < VARIATIONS; i++) {
        target.run(varied(seed, random));
      }
    }
  }

  private static byte[] varied(byte[] seed, Random random) {
    int length = random.nextInt(4) == 0 ? random.nextInt(seed.length) : seed.length;
    byte[] bytes = Arrays.copyOf(seed, length);
    for (int n = random.nextInt(4); n > 0 && bytes.length > 0; n--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }
}
