package dev.rondo.exploration;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/// A sequence of choices as a text: a version, and the Base64 of what zlib makes of the choices.
final class ReplayText {

  private static final int VERSION = 1;
  private static final Pattern FORMAT = Pattern.compile("rondo(\\d{1,9})-([A-Za-z0-9_-]*)");

  // The first byte of a choice: its kind, and what is left out because it is zero.
  private static final int KIND = 0x0f;
  private static final int NO_VALUE = 0x10;
  private static final int NO_ID = 0x20;

  private static final int DIGIT_BITS = 7;
  private static final int MORE = 1 << DIGIT_BITS;

  private record Choice(ChoiceKind kind, long count, long value, long id) {}

  private ReplayText() {}

  static String print(ChoiceSequence sequence) {
    var bytes = new ByteArrayOutputStream();
    try (var out =
        new DataOutputStream(
            new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_COMPRESSION)))) {
      for (int i = 0; i < sequence.size(); i++) {
        boolean noValue = sequence.value(i) == 0;
        boolean noId = sequence.id(i) == 0;
        out.writeByte(sequence.kind(i).code | (noValue ? NO_VALUE : 0) | (noId ? NO_ID : 0));
        write(out, sequence.count(i));
        if (!noValue) {
          write(out, sequence.value(i));
        }
        if (!noId) {
          write(out, sequence.id(i));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // in memory
    }
    return "rondo"
        + VERSION
        + "-"
        + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  private static void write(DataOutputStream out, long number) throws IOException {
    long left = number;
    while (Long.compareUnsigned(left, MORE) >= 0) {
      out.writeByte(((int) left & (MORE - 1)) | MORE);
      left >>>= DIGIT_BITS;
    }
    out.writeByte((int) left);
  }

  static ChoiceSequence parse(String text) {
    String printed = text.startsWith("@") ? read(text.substring(1)) : text.strip();
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

  private static String read(String path) {
    try {
      return Files.readString(Path.of(path)).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException("the replay cannot be read: @" + path, e);
    }
  }

  private static String shortened(String text) {
    int most = 60;
    return text.length() <= most ? text : text.substring(0, most) + "..";
  }

  private static ChoiceSequence decode(byte[] bytes) throws IOException {
    var choices = new ArrayList<Choice>();
    try (var in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      for (int first = in.read(); first >= 0; first = in.read()) {
        choices.add(decode(first, in));
      }
    }
    return sequence(choices);
  }

  private static Choice decode(int first, DataInputStream in) throws IOException {
    int kind = first & KIND;
    if (kind >= ChoiceKind.COUNT) {
      throw new ZipException("no kind of choice: " + kind);
    }
    long count = readNumber(in);
    long value = (first & NO_VALUE) == 0 ? readNumber(in) : 0;
    long id = (first & NO_ID) == 0 ? readNumber(in) : 0;
    if (!Chooser.isInside(value, count)) {
      throw new ZipException("value " + value + " of " + count);
    }
    return new Choice(ChoiceKind.at(kind), count, value, id);
  }

  private static long readNumber(DataInputStream in) throws IOException {
    long number = 0;
    int shift = 0;
    int digit;
    do {
      digit = in.readUnsignedByte();
      number |= (long) (digit & (MORE - 1)) << shift;
      shift += DIGIT_BITS;
    } while ((digit & MORE) != 0 && shift < Long.SIZE);
    return number;
  }

  private static ChoiceSequence sequence(List<Choice> choices) {
    return new ChoiceSequence(
        choices.stream().map(Choice::kind).toArray(ChoiceKind[]::new),
        choices.stream().mapToLong(Choice::count).toArray(),
        choices.stream().mapToLong(Choice::value).toArray(),
        choices.stream().mapToLong(Choice::id).toArray());
  }
}
