package dev.rondo.inspector;

import com.google.common.base.Splitter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The parameters of a request.
///
/// @param values by name
record Query(Map<String, String> values) {

  /// @param raw the query as in the address; null if the address has none
  static Query of(@Nullable String raw) throws Refusal {
    var values = new HashMap<String, String>();
    if (raw != null) {
      for (String pair : Splitter.on('&').omitEmptyStrings().split(raw)) {
        List<String> parts = Splitter.on('=').limit(2).splitToList(pair);
        values.put(decoded(parts.getFirst()), parts.size() == 1 ? "" : decoded(parts.get(1)));
      }
    }
    return new Query(values);
  }

  private static String decoded(String text) throws Refusal {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Refusal(400, "the query is malformed");
    }
  }

  String text(String name) {
    return values.getOrDefault(name, "");
  }

  long number(String name, long least, long most, long usual) throws Refusal {
    String text = text(name);
    if (text.isEmpty()) {
      return usual;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused
    }
    throw new Refusal(400, "%s must be a number from %d to %d".formatted(name, least, most));
  }
}
