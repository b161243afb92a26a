package dev.rondo.exploration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A replayed run has asked for other choices than those recorded. Its code has changed, or
/// something outside of the choices decides, such as a real clock, another thread, or the order of
/// a hash table.
///
/// The stack is that of the choice that differs; its message has those frames of it that are the
/// program's. The message says where the recorded run has drawn the choice, and the cause has the
/// stack, if that is known. It is known if what was replayed is the result of a search, or was read
/// from a file that [ChoiceSequence#writeTo] has written. It is also known if the run was repeated
/// and asked for the recorded choice then.
public final class ReplayDivergedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /// The message is read by people, and has the whole stacks beside it.
  private static final int FRAMES_OF_MESSAGE = 6;

  /// Of the choice that differs.
  private final int index;

  /// In words, without places.
  private final String what;

  private final transient @Nullable ChoiceSite asked;

  /// @param what in words
  ReplayDivergedException(int index, String what) {
    super(what);
    this.index = index;
    this.what = what;
    this.asked = null;
  }

  /// @param what in words
  /// @param recorded where the recorded run has drawn the choice; null if that is not known
  /// @param asked where this run draws one; null if it has ended
  ReplayDivergedException(
      int index, String what, @Nullable ChoiceSite recorded, @Nullable ChoiceSite asked) {
    super(what + describe(recorded, asked), recorded == null ? null : new RecordedChoice(recorded));
    this.index = index;
    this.what = what;
    this.asked = asked;
  }

  private static String describe(@Nullable ChoiceSite recorded, @Nullable ChoiceSite asked) {
    String first =
        recorded == null
            ? "\nwhere the recorded run has drawn it is not known: a replay file has that, of the"
                + " first %,d choices".formatted(ReplayFile.MOST_SITES)
            : "\nthe recorded run has drawn it" + describe(recorded);
    return asked == null ? first : first + "\nthis run draws one" + describe(asked);
  }

  private static String describe(ChoiceSite site) {
    String names = site.candidates().isEmpty() ? "" : ", " + site.candidates();
    return names + ":" + site.trace(FRAMES_OF_MESSAGE);
  }

  /// {@return the same with where the recorded run has drawn the choice}
  ReplayDivergedException with(ChoiceSite recorded) {
    var complete = new ReplayDivergedException(index, what, recorded, asked);
    complete.setStackTrace(getStackTrace());
    return complete;
  }

  /// {@return the index of the first choice that differs, from 0}
  int index() {
    return index;
  }

  /// The recorded choice, with the stack of where it was drawn.
  private static final class RecordedChoice extends Exception {

    private static final long serialVersionUID = 1L;

    RecordedChoice(ChoiceSite site) {
      super("where the recorded run has drawn the choice");
      List<StackTraceElement> frames = site.frames();
      setStackTrace(frames.toArray(StackTraceElement[]::new));
    }
  }
}
