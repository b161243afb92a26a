package dev.rondo.exploration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The choices of a run, in order. A run is its sequence: [Choices#replay] repeats it.
///
/// Immutable; any thread.
public final class ChoiceSequence {

  private static final ChoiceSequence EMPTY =
      new ChoiceSequence(new ChoiceKind[0], new long[0], new long[0], new long[0]);

  private final ChoiceKind[] kinds;
  private final long[] counts;
  private final long[] values;
  private final long[] ids;

  /// Of the first choices.
  private final List<ChoiceSite> sites;

  /// @param kinds and the other arrays: of equal length, and not changed any more
  ChoiceSequence(ChoiceKind[] kinds, long[] counts, long[] values, long[] ids) {
    this(kinds, counts, values, ids, List.of());
  }

  private ChoiceSequence(
      ChoiceKind[] kinds, long[] counts, long[] values, long[] ids, List<ChoiceSite> sites) {
    this.kinds = kinds;
    this.counts = counts;
    this.values = values;
    this.ids = ids;
    this.sites = sites;
  }

  /// {@return the sequence without choices, that of the usual order}
  public static ChoiceSequence empty() {
    return EMPTY;
  }

  /// {@return a sequence that was printed}
  ///
  /// @param text what [#print()] returned, or `@` and the path of a file that contains it, or that
  ///   [#writeTo] has written
  /// @throws IllegalArgumentException if it is not such a text, is of another version of Rondo, is
  ///   damaged, has more than 2,000,000 choices, or the file cannot be read, is not a regular one,
  ///   or has more than 100,000,000 bytes
  public static ChoiceSequence parse(String text) {
    requireNonNull(text, "text is null");
    return text.startsWith("@")
        ? ReplayFile.read(text.substring(1))
        : ReplayText.parse(text.strip());
  }

  /// {@return this sequence as a text of letters, digits, `-` and `_`, for [#parse]} Some hundred
  /// choices take a few hundred characters.
  public String print() {
    return ReplayText.print(this);
  }

  /// Writes this sequence into a file, for [#parse]. Its first line is that of [#print()]. If this
  /// is the [Exploration#shrunk()] of a search, or was read from such a file, there follows where
  /// each of the first 10,000 choices was drawn. That is what was chosen among, and the frames of
  /// the program. With these a run that diverges says where the recorded one drew its choice.
  ///
  /// @param file is replaced if it exists
  /// @throws IOException if it cannot be written; it may be there in part
  public void writeTo(Path file) throws IOException {
    ReplayFile.write(this, requireNonNull(file, "file is null"));
  }

  /// {@return how many choices there are}
  public int size() {
    return kinds.length;
  }

  /// {@return what a choice decided}
  ///
  /// @param index from 0 to the size
  /// @throws IndexOutOfBoundsException if the index is out of range
  public ChoiceKind kind(int index) {
    return kinds[index];
  }

  /// {@return among how many values a choice was made} An unsigned number; 0 for 2^64.
  ///
  /// @param index from 0 to the size
  /// @throws IndexOutOfBoundsException if the index is out of range
  long count(int index) {
    return counts[index];
  }

  /// {@return what was chosen} An unsigned number; 0 is the simplest.
  ///
  /// @param index from 0 to the size
  /// @throws IndexOutOfBoundsException if the index is out of range
  long value(int index) {
    return values[index];
  }

  /// {@return the stable number of the candidate that was chosen; 0 if it has none}
  long id(int index) {
    return ids[index];
  }

  /// {@return where a choice was drawn; null if that is not known}
  @Nullable ChoiceSite site(int index) {
    return index < sites.size() ? sites.get(index) : null;
  }

  /// {@return this sequence with where its first choices were drawn}
  ChoiceSequence withSites(List<ChoiceSite> known) {
    return new ChoiceSequence(kinds, counts, values, ids, List.copyOf(known));
  }

  /// {@return how many choices are not the simplest: turns out of the usual order, faults, random
  /// numbers that are not zero}
  public int deviations() {
    return (int) Arrays.stream(values).filter(value -> value != 0).count();
  }

  /// {@return this sequence without the zeros at its end, which a replay adds}
  ChoiceSequence trimmed() {
    int end = size();
    while (end > 0 && values[end - 1] == 0) {
      end--;
    }
    return end == size() ? this : first(end);
  }

  /// {@return the first choices of this sequence}
  ChoiceSequence first(int length) {
    return new ChoiceSequence(
        Arrays.copyOf(kinds, length),
        Arrays.copyOf(counts, length),
        Arrays.copyOf(values, length),
        Arrays.copyOf(ids, length),
        sites.size() <= length ? sites : sites.subList(0, length));
  }

  /// {@return the choices up to one, which has another value, and no candidate}
  ChoiceSequence varied(int index, long value) {
    ChoiceSequence varied = first(index + 1);
    varied.values[index] = value;
    varied.ids[index] = 0;
    return varied;
  }

  /// {@return one choice in words}
  String describe(int index) {
    return describe(kinds[index], counts[index], values[index], ids[index]);
  }

  static String describe(ChoiceKind kind, long count, long value, long id) {
    String chosen = "%s %s of %s".formatted(kind, Long.toUnsignedString(value), text(count));
    return id == 0 ? chosen : chosen + ", id " + id;
  }

  static String text(long count) {
    return count == Chooser.ALL ? "2^64" : Long.toUnsignedString(count);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChoiceSequence that
        && Arrays.equals(kinds, that.kinds)
        && Arrays.equals(counts, that.counts)
        && Arrays.equals(values, that.values)
        && Arrays.equals(ids, that.ids);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return size() + " choices, " + deviations() + " of them not zero";
  }
}
