package dev.rondo.http.internal;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a body is compressed.
public enum ContentCoding {
  /// RFC 1952.
  GZIP("gzip"),

  /// RFC 1950: with the header of zlib.
  DEFLATE("deflate");

  /// The value of `Accept-Encoding` of a server.
  public static final String SUPPORTED = "gzip, deflate";

  private static final String IDENTITY = "identity";
  private static final String ANY = "*";
  private static final double UNWANTED = 0;

  private final String token;

  ContentCoding(String token) {
    this.token = token;
  }

  public String token() {
    return token;
  }

  /// {@return the coding that a client prefers, by RFC 9110, 12.5.3; null for no compression} A
  /// client without a preference receives the body as it is.
  public static @Nullable ContentCoding acceptedBy(HttpHeaders request) {
    List<String> values = request.getAll(HttpHeaderNames.ACCEPT_ENCODING);
    if (values.isEmpty()) {
      return null;
    }
    Map<String, Double> weights = weights(String.join(",", values));
    ContentCoding best = null;
    double bestWeight = weights.getOrDefault(IDENTITY, UNWANTED);
    for (ContentCoding each : values()) {
      double weight = weights.getOrDefault(each.token, weights.getOrDefault(ANY, UNWANTED));
      boolean better = best == null ? weight >= bestWeight : weight > bestWeight;
      if (weight > UNWANTED && better) {
        best = each;
        bestWeight = weight;
      }
    }
    return best;
  }

  private static Map<String, Double> weights(String accepted) {
    var weights = new HashMap<String, Double>();
    for (String each : accepted.split(",", -1)) {
      String[] parts = each.split(";", -1);
      double weight = 1;
      for (int i = 1; i < parts.length; i++) {
        String parameter = parts[i].strip();
        if (parameter.startsWith("q=") || parameter.startsWith("Q=")) {
          weight = weight(parameter.substring(2));
        }
      }
      var _ = weights.put(canonical(parts[0]), weight);
    }
    return weights;
  }

  private static double weight(String text) {
    try {
      double weight = Double.parseDouble(text);
      return weight >= 0 && weight <= 1 ? weight : UNWANTED;
    } catch (NumberFormatException e) {
      return UNWANTED;
    }
  }

  private static String canonical(String coding) {
    String token = coding.strip().toLowerCase(Locale.ROOT);
    return token.equals("x-gzip") ? GZIP.token : token;
  }

  /// {@return an entity tag for the same content in other bytes}
  public static String weak(String tag) {
    return tag.startsWith("\"") ? "W/" + tag : tag;
  }

  /// Whether a request's body can be read.
  public static boolean isReadable(HttpHeaders request) {
    String coding = codingOf(request);
    return coding.isEmpty() || find(coding) != null;
  }

  /// {@return the coding of a request body; null for an uncompressed body}
  public static @Nullable ContentCoding of(HttpHeaders request) {
    return find(codingOf(request));
  }

  private static @Nullable ContentCoding find(String coding) {
    if (coding.isEmpty()) {
      return null;
    }
    for (ContentCoding each : values()) {
      if (each.token.equals(coding)) {
        return each;
      }
    }
    return null;
  }

  /// Empty for none.
  private static String codingOf(HttpHeaders request) {
    List<String> values = request.getAll(HttpHeaderNames.CONTENT_ENCODING);
    String coding = canonical(String.join(",", values));
    return coding.equals(IDENTITY) ? "" : coding;
  }
}
