package dev.rondo.io;

import static org.mockito.Mockito.mock;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelector;
import java.util.HashSet;
import org.mockito.Answers;
import org.mockito.stubbing.Answer;

/// Selectors that misbehave.
final class Selectors {

  private Selectors() {}

  /// A selector that registers channels and whose selects do this.
  static Selector whoseSelects(Answer<?> answer) {
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
