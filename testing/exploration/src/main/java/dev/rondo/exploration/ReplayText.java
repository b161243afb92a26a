package dev.rondo.exploration;

import dev.rondo.scheduler.internal.ReportText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// A sequence of choices as a text: a version, and the Base64 of what zlib makes of the choices.
final class ReplayText {

  private static final int VERSION = 1;
  private static final Pattern FORMAT = Pattern.compile("rondo(\\d{1,9})-([A-Za-z0-9_-]*)");

  private ReplayText() {}

  static String print(ChoiceSequence sequence) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_COMPRESSION))) {
      out.write(ChoiceLog.of(sequence).bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // in memory
    }
    return "rondo"
        + VERSION
        + "-"
        + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  static ChoiceSequence parse(String printed) {
    Matcher format = FORMAT.matcher(printed);
    if (!format.matches()) {
      throw new IllegalArgumentException(
          "no replay, which has the form rondo%d-..: '%s'".formatted(VERSION, shortened(printed)));
    }
    int version = Integer.parseInt(format.group(1));
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "a replay of version %d, this Rondo reads version %d: '%s'"
              .formatted(version, VERSION, shortened(printed)));
    }
    try {
      return decode(Base64.getUrlDecoder().decode(format.group(2)));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a replay that is damaged or incomplete: '%s'".formatted(shortened(printed)), e);
    }
  }

  private static String shortened(String text) {
    int most = 60;
    return ReportText.escaped(text.length() <= most ? text : text.substring(0, most) + "..");
  }

  private static ChoiceSequence decode(byte[] bytes) throws IOException {
    try (var in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
      return ChoiceLog.read(in);
    }
  }
}
