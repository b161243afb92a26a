package dev.rondo.http.files.internal;

import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Decides which part of a file answers a request, by the conditions and the range in its headers:
/// RFC 9110, 13.2.2 and 14.2. Headers that are malformed count as absent. A request for several
/// ranges receives the whole file, as the RFC allows, because many small or overlapping ranges
/// would cost more (CVE-2011-3192).
///
/// Immutable, so that a worker can use it while the task of the request waits.
public final class FileConditions {

  private static final Pattern TAG = Pattern.compile("(W/)?(\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")");
  private static final Pattern RANGE = Pattern.compile("(?i)bytes=(\\d*)-(\\d*)");

  /// Longer numbers may exceed a `long`, and every file.
  private static final int MOST_DIGITS = 18;

  /// Netty's parser throws an exception for longer dates. The longest form of a date has 33
  /// characters.
  private static final int MOST_DATE_CHARACTERS = 64;

  private static final String WEAK = "W/";
  private static final String ANY = "*";

  private final boolean get;
  private final boolean applies;
  private final Instant now;
  private final List<String> matches;
  private final @Nullable Instant unmodifiedSince;
  private final List<String> noneMatches;
  private final @Nullable Instant modifiedSince;
  private final @Nullable String range;
  private final @Nullable String ifRange;

  public FileConditions(HttpRequest request, Instant now) {
    HttpHeaders headers = request.headers();
    this.get = request.method().equals(HttpMethod.GET);
    this.applies = get || request.method().equals(HttpMethod.HEAD);
    this.now = now;
    this.matches = headers.getAll(HttpHeaderNames.IF_MATCH);
    this.unmodifiedSince = date(headers.get(HttpHeaderNames.IF_UNMODIFIED_SINCE));
    this.noneMatches = headers.getAll(HttpHeaderNames.IF_NONE_MATCH);
    this.modifiedSince = date(headers.get(HttpHeaderNames.IF_MODIFIED_SINCE));
    List<String> ranges = headers.getAll(HttpHeaderNames.RANGE);
    this.range = ranges.size() == 1 ? ranges.getFirst() : null;
    this.ifRange = headers.get(HttpHeaderNames.IF_RANGE);
  }

  private static @Nullable Instant date(@Nullable String text) {
    boolean possible = text != null && text.length() <= MOST_DATE_CHARACTERS;
    Date parsed = possible ? DateFormatter.parseHttpDate(text) : null;
    return parsed == null ? null : parsed.toInstant();
  }

  /// {@return the entity tag of a file}
  public String tag(FileFacts facts) {
    return facts.tag(now);
  }

  FilePlan plan(FileFacts facts) {
    if (!applies) {
      return FilePlan.whole(facts);
    }
    if (!asExpected(facts)) {
      return FilePlan.without(HttpResponseStatus.PRECONDITION_FAILED);
    }
    if (isKnown(facts)) {
      return FilePlan.without(HttpResponseStatus.NOT_MODIFIED);
    }
    String wanted = range;
    return get && wanted != null && isOfThisFile(facts)
        ? ranged(wanted, facts)
        : FilePlan.whole(facts);
  }

  /// Whether the file is the file that the client requires.
  private boolean asExpected(FileFacts facts) {
    if (!matches.isEmpty()) {
      return names(matches, facts.tag(now), true);
    }
    Instant latest = unmodifiedSince;
    return latest == null || seconds(facts) <= latest.getEpochSecond();
  }

  /// Whether the client has the file already.
  private boolean isKnown(FileFacts facts) {
    if (!noneMatches.isEmpty()) {
      return names(noneMatches, facts.tag(now), false);
    }
    Instant latest = modifiedSince;
    return latest != null && seconds(facts) <= latest.getEpochSecond();
  }

  /// Whether a range belongs to the version of the file that the client has.
  private boolean isOfThisFile(FileFacts facts) {
    String validator = ifRange;
    if (validator == null) {
      return true;
    }
    if (TAG.matcher(validator.strip()).matches()) {
      return names(List.of(validator), facts.tag(now), true);
    }
    Instant date = date(validator);
    return date != null && facts.isSettled(now) && date.getEpochSecond() == seconds(facts);
  }

  private static long seconds(FileFacts facts) {
    return facts.modified().getEpochSecond();
  }

  /// @param strongly whether a weak tag differs from any other
  private static boolean names(List<String> values, String tag, boolean strongly) {
    boolean weak = tag.startsWith(WEAK);
    String opaque = weak ? tag.substring(WEAK.length()) : tag;
    for (String value : values) {
      if (value.strip().equals(ANY)) {
        return true;
      }
      Matcher each = TAG.matcher(value);
      while (each.find()) {
        boolean comparable = !strongly || (!weak && each.group(1) == null);
        if (comparable && opaque.equals(each.group(2))) {
          return true;
        }
      }
    }
    return false;
  }

  private static FilePlan ranged(String wanted, FileFacts facts) {
    Matcher range = RANGE.matcher(wanted.strip());
    if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
      return FilePlan.whole(facts);
    }
    long size = facts.sizeBytes();
    long last = number(range.group(2));
    if (range.group(1).isEmpty()) {
      long count = Math.min(last, size);
      if (last > 0 && size == 0) {
        return FilePlan.whole(facts); // the whole empty file
      }
      return count == 0 ? unsatisfiable() : FilePlan.part(size - count, count);
    }
    long first = number(range.group(1));
    boolean open = range.group(2).isEmpty();
    if (!open && last < first) {
      return FilePlan.whole(facts);
    }
    if (first >= size) {
      return unsatisfiable();
    }
    return FilePlan.part(first, open ? size - first : Math.min(last, size - 1) - first + 1);
  }

  private static FilePlan unsatisfiable() {
    return FilePlan.without(HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
  }

  private static long number(String digits) {
    if (digits.isEmpty()) {
      return 0;
    }
    return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
  }
}
