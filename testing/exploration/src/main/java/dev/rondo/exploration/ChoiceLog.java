package dev.rondo.exploration;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.ZipException;

/// The choices of a run under way, packed: three bytes for most choices of a task, ten for a
/// latency. It is also what a printed sequence consists of.
///
/// A choice is one byte with its kind and what is left out; then its count, value and id, each with
/// seven bits in a byte, the lowest first.
final class ChoiceLog {

  /// A sequence that is read has at most so many choices. An array of them has 28 bytes each.
  static final int MOST_READ = 2_000_000;

  private static final int KIND = 0x0f;
  private static final int NO_VALUE = 0x10;
  private static final int NO_ID = 0x20;

  /// It is that of the last choice of the same kind.
  private static final int NO_COUNT = 0x40;

  private static final int DIGIT_BITS = 7;
  private static final int MORE = 1 << DIGIT_BITS;

  /// Of a choice: its first byte and three numbers.
  private static final int MOST_BYTES = 1 + 3 * ((Long.SIZE + DIGIT_BITS - 1) / DIGIT_BITS);

  private static final int FIRST_CAPACITY = 256;
  private static final int FIRST_CHOICES = 64;

  /// From Steele, Lea and Flood's SplitMix64.
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private static final long MIX = 0xbf58476d1ce4e5b9L;
  private static final int SHIFT = 29;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;
  private int size;
  private long digest;
  private final long[] counts = noCounts();

  private static long[] noCounts() {
    var counts = new long[ChoiceKind.COUNT];
    Arrays.fill(counts, 1); // which no choice has
    return counts;
  }

  /// {@return a log of these choices}
  static ChoiceLog of(ChoiceSequence sequence) {
    var log = new ChoiceLog();
    for (int i = 0; i < sequence.size(); i++) {
      log.add(sequence.kind(i), sequence.count(i), sequence.value(i), sequence.id(i));
    }
    return log;
  }

  int size() {
    return size;
  }

  /// {@return a number that follows from the values}
  long digest() {
    return digest;
  }

  void add(ChoiceKind kind, long count, long value, long id) {
    long mixed = (digest ^ value + kind.code) * MIX + GOLDEN;
    digest = mixed ^ mixed >>> SHIFT;
    if (bytes.length - length < MOST_BYTES) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    boolean sameCount = counts[kind.code] == count;
    counts[kind.code] = count;
    int first = kind.code;
    first |= value == 0 ? NO_VALUE : 0;
    first |= id == 0 ? NO_ID : 0;
    first |= sameCount ? NO_COUNT : 0;
    bytes[length++] = (byte) first;
    if (!sameCount) {
      write(count);
    }
    if (value != 0) {
      write(value);
    }
    if (id != 0) {
      write(id);
    }
    size++;
  }

  private void write(long number) {
    long left = number;
    while (Long.compareUnsigned(left, MORE) >= 0) {
      bytes[length++] = (byte) ((left & (MORE - 1)) | MORE);
      left >>>= DIGIT_BITS;
    }
    bytes[length++] = (byte) left;
  }

  byte[] bytes() {
    return Arrays.copyOf(bytes, length);
  }

  ChoiceSequence sequence() {
    try (var in = new ByteArrayInputStream(bytes, 0, length)) {
      return read(in, size, size);
    } catch (IOException e) {
      throw new AssertionError(e); // it was written here
    }
  }

  /// {@return the choices of a log}
  ///
  /// @throws IOException if it is damaged, or has more than [#MOST_READ] choices
  static ChoiceSequence read(InputStream in) throws IOException {
    return read(in, FIRST_CHOICES, MOST_READ);
  }

  private static ChoiceSequence read(InputStream in, int expected, int most) throws IOException {
    var data = new DataInputStream(in);
    var counts = noCounts();
    var all = new Columns(expected);
    for (int first = in.read(); first >= 0; first = in.read()) {
      if (all.size == most) {
        throw new ZipException("more than %,d choices".formatted(most));
      }
      int code = first & KIND;
      if (code >= ChoiceKind.COUNT) {
        throw new ZipException("no kind of choice: " + code);
      }
      if ((first & NO_COUNT) == 0) {
        counts[code] = readNumber(data);
      }
      long value = (first & NO_VALUE) == 0 ? readNumber(data) : 0;
      long id = (first & NO_ID) == 0 ? readNumber(data) : 0;
      if (counts[code] == 1 || !Chooser.isInside(value, counts[code])) {
        throw new ZipException("value " + value + " of " + ChoiceSequence.text(counts[code]));
      }
      all.add(ChoiceKind.at(code), counts[code], value, id);
    }
    return all.sequence();
  }

  private static long readNumber(DataInput in) throws IOException {
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

  /// Choices that are being read.
  private static final class Columns {

    private ChoiceKind[] kinds;
    private long[] counts;
    private long[] values;
    private long[] ids;
    private int size;

    Columns(int capacity) {
      kinds = new ChoiceKind[capacity];
      counts = new long[capacity];
      values = new long[capacity];
      ids = new long[capacity];
    }

    void add(ChoiceKind kind, long count, long value, long id) {
      if (size == kinds.length) {
        resize(Math.max(FIRST_CHOICES, 2 * size));
      }
      kinds[size] = kind;
      counts[size] = count;
      values[size] = value;
      ids[size] = id;
      size++;
    }

    private void resize(int capacity) {
      kinds = Arrays.copyOf(kinds, capacity);
      counts = Arrays.copyOf(counts, capacity);
      values = Arrays.copyOf(values, capacity);
      ids = Arrays.copyOf(ids, capacity);
    }

    ChoiceSequence sequence() {
      if (size < kinds.length) {
        resize(size);
      }
      return new ChoiceSequence(kinds, counts, values, ids);
    }
  }
}
