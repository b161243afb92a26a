package dev.rondo.inspector;

import com.google.common.base.Splitter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The head of a request (RFC 9112). A body is not read, because the connection ends with the
/// answer.
///
/// @param method in capitals
/// @param path as it was sent
/// @param query as it was sent; null if the address has no query
/// @param headers the values of the headers, by lower-case name
record Request(
    String method, String path, @Nullable String query, Map<String, List<String>> headers) {

  /// The end of the head.
  static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  private static final Pattern FIRST_LINE =
      Pattern.compile("([A-Z]+) (/[!-~&&[^?#]]*)(?:\\?([!-~&&[^#]]*))? HTTP/1\\.[01]");
  private static final Pattern HEADER = Pattern.compile("([!-~&&[^:]]+):[ \t]*(.*?)[ \t]*");

  static Request parse(String head) throws Refusal {
    List<String> lines = Splitter.on("\r\n").splitToList(head);
    Matcher first = FIRST_LINE.matcher(lines.getFirst());
    if (!first.matches()) {
      throw new Refusal(400, "the request line is malformed");
    }
    var headers = new HashMap<String, List<String>>();
    for (String line : lines.subList(1, lines.size())) {
      Matcher header = HEADER.matcher(line);
      if (!header.matches()) {
        throw new Refusal(400, "a header is malformed");
      }
      headers
          .computeIfAbsent(header.group(1).toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
          .add(header.group(2));
    }
    return new Request(first.group(1), first.group(2), first.group(3), headers);
  }

  /// {@return the values of a header}
  ///
  /// @param name in lower case
  List<String> values(String name) {
    return headers.getOrDefault(name, List.of());
  }
}
