package dev.rondo.exploration.picture;

import dev.rondo.scheduler.internal.ReportText;

/// Text in XML and HTML. Escaped text may stand between tags and in an attribute between double or
/// single quotes.
final class Markup {

  private static final int REPLACEMENT = 0xFFFD;
  private static final int LAST_OF_PLANE = 0xFFFE;
  private static final String ELLIPSIS = "\u2026";

  private Markup() {}

  /// {@return a text that no reader of markup takes for anything else} Characters that XML does not
  /// allow, and those that a terminal or a reader would obey, are written as in
  /// [ReportText#escaped]; lines stay lines.
  static String escaped(String text) {
    var escaped = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(each -> append(escaped, each));
    return escaped.toString();
  }

  private static void append(StringBuilder text, int character) {
    switch (character) {
      case '&' -> text.append("&amp;");
      case '<' -> text.append("&lt;");
      case '>' -> text.append("&gt;");
      case '"' -> text.append("&quot;");
      case '\'' -> text.append("&#39;");
      case '\n' -> text.append('\n');
      default -> {
        if (ReportText.isHarmful(character)) {
          text.append(ReportText.escaped(Character.toString(character)));
        } else if (isAllowed(character)) {
          text.appendCodePoint(character);
        } else {
          text.appendCodePoint(REPLACEMENT);
        }
      }
    }
  }

  /// Whether it is a character of XML: no half of a pair, and no noncharacter.
  private static boolean isAllowed(int character) {
    return Character.getType(character) != Character.SURROGATE
        && (character & 0xFFFF) < LAST_OF_PLANE;
  }

  /// {@return the beginning of a text that is too long, with an ellipsis}
  ///
  /// @param most how many characters, at least one
  static String cut(String text, int most) {
    if (text.codePointCount(0, text.length()) <= most) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, most - 1)) + ELLIPSIS;
  }
}
