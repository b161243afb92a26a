package dev.rondo.io.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Optional libraries, there and not there.
class LibraryTest {

  @ParameterizedTest
  @EnumSource
  void require_there_isSilent(Library library) {
    assertDoesNotThrow(() -> library.require());
  }

  @ParameterizedTest
  @EnumSource
  void require_notThere_saysWhatToAdd(Library library) {
    var nothing = ClassLoader.getPlatformClassLoader();
    var e = assertThrows(IllegalStateException.class, () -> library.require(nothing));
    assertTrue(e.getMessage().matches(".*add the dependency \\S+:\\S+:\\d.*"), e::getMessage);
  }
}
