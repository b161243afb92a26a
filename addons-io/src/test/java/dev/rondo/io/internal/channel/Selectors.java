package dev.rondo.io.internal.channel;

import static org.mockito.Mockito.mock;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelector;
import java.util.HashSet;
import org.mockito.Answers;
import org.mockito.stubbing.Answer;

/// Selectors that misbehave, and counts of a selector's calls.
public final class Selectors {

  private Selectors() {}

  /// The number of selects.
  public static long selects(Reactor reactor) {
    return reactor.selector().selects();
  }

  /// The number of times that the selector was replaced.
  public static int replacements(Reactor reactor) {
    return reactor.selector().replacements();
  }

  /// A selector that registers channels, and whose selects run the answer.
  public static Selector whoseSelects(Answer<?> answer) {
    var keys = new HashSet<SelectionKey>();
    return mock(
        AbstractSelector.class,
        call ->
            switch (call.getMethod().getName()) {
              case "isOpen" -> true;
              case "keys" -> keys;
              case "register" -> {
                SelectionKey key =
                    mock(
                        SelectionKey.class,
                        asked ->
                            switch (asked.getMethod().getName()) {
                              case "attachment" -> call.getArgument(2);
                              case "isValid" -> true;
                              default -> Answers.RETURNS_DEFAULTS.answer(asked);
                            });
                keys.add(key);
                yield key;
              }
              case "select", "selectNow" -> answer.answer(call);
              default -> Answers.RETURNS_DEFAULTS.answer(call);
            });
  }
}
