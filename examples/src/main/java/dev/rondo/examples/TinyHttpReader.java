package dev.rondo.examples;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.jspecify.annotations.Nullable;

/// Reads requests by the strict grammar of RFC 9112. If two servers read a message differently, a
/// request can be smuggled past one of them (RFC 9112, 11.2). So no mistake is repaired, neither a
/// line that ends in LF alone nor a sign before a length.
final class TinyHttpReader {

  /// A refused request, with the status for the client.
  static final class Refusal extends HttpException {

    private static final long serialVersionUID = 1L;

    private final int status;

    Refusal(int status, String message) {
      super(message);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  private static final int BUFFER_BYTES = 8 * 1024;
  private static final int MAX_EMPTY_LINES = 10;
  private static final byte[] NO_BODY = {};
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");

  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String TEXT = "[\\t\\x20-\\x7E\\x80-\\xFF]*";
  private static final String HOST =
      "(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*|\\[[0-9A-Fa-f:.]+])(?::[0-9]*)?";
  private static final String PATH =
      "(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*"
          + "(?:\\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?";

  private static final Pattern REQUEST_LINE =
      Pattern.compile("(" + TOKEN + ") (\\S+) HTTP/[0-9]\\.[0-9]");
  private static final Pattern FIELD = Pattern.compile(TOKEN + ":" + TEXT);
  private static final Pattern HOST_VALUE = Pattern.compile(HOST);
  private static final Pattern ORIGIN_FORM = Pattern.compile("/" + PATH);
  private static final Pattern ABSOLUTE_FORM =
      Pattern.compile("[hH][tT][tT][pP]://(" + HOST + ")([/?]" + PATH + "|)");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern CHUNK =
      Pattern.compile("([0-9A-Fa-f]{1,15})(?:[\\t ]*;" + TEXT + ")?");

  private final TinyHttpLimits limits;
  private final InputStream input;
  private final SessionInputBufferImpl in = new SessionInputBufferImpl(BUFFER_BYTES);
  private final Http1Config config;

  TinyHttpReader(TinyHttpLimits limits, InputStream input) {
    this.limits = limits;
    this.input = input;
    this.config =
        Http1Config.custom()
            .setMaxLineLength(limits.lineBytes())
            .setMaxHeaderCount(limits.headers())
            .build();
  }

  boolean hasBufferedData() {
    return in.hasBufferedData();
  }

  // The head.

  /// Reads a request without its body.
  ///
  /// @throws Refusal if the request breaks the grammar, or needs an unsupported feature
  /// @throws ConnectionClosedException if the client has left
  ClassicHttpRequest head() throws IOException, HttpException {
    String first = line(true);
    for (int empty = 0; first.isEmpty() && empty < MAX_EMPTY_LINES; empty++) {
      first = line(false); // RFC 9112, 2.2
    }
    Matcher parts = REQUEST_LINE.matcher(first);
    if (!parts.matches()) {
      throw bad("the request line must be: method, target and version");
    }
    var text = new StringBuilder(first).append("\r\n");
    for (String line = line(false); !line.isEmpty(); line = line(false)) {
      requireField(line);
      text.append(line).append("\r\n");
    }
    return checked(parse(text.append("\r\n").toString()), parts.group(2));
  }

  private ClassicHttpRequest parse(String text) throws IOException, HttpException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    ClassicHttpRequest request =
        new DefaultHttpRequestParser(config)
            .parse(new SessionInputBufferImpl(BUFFER_BYTES), new ByteArrayInputStream(bytes));
    if (request == null) {
      throw new ConnectionClosedException();
    }
    return request;
  }

  private static ClassicHttpRequest checked(ClassicHttpRequest request, String target)
      throws Refusal {
    if (request.getVersion() != null && request.getVersion().getMajor() != 1) {
      throw new Refusal(HttpStatus.SC_HTTP_VERSION_NOT_SUPPORTED, "the version must be HTTP/1.1");
    }
    if (!METHODS.contains(request.getMethod())) {
      throw new Refusal(HttpStatus.SC_NOT_IMPLEMENTED, "the method must be one of " + METHODS);
    }
    request.setPath(path(target));
    request.setAuthority(null); // the field `Host` has it
    Header host = only(request, HttpHeaders.HOST);
    if (host != null && !HOST_VALUE.matcher(host.getValue()).matches()) {
      throw bad("the value of Host must be a host, and a port if need be");
    }
    return request;
  }

  /// {@return the path and the query of a target} A target in origin form that begins with `//` has
  /// an empty first segment, and does not name a host.
  private static String path(String target) throws Refusal {
    if (ORIGIN_FORM.matcher(target).matches()) {
      return target;
    }
    Matcher absolute = ABSOLUTE_FORM.matcher(target);
    if (!absolute.matches() || absolute.group(1).isEmpty()) {
      throw bad("the target must be a path, or a URI of http");
    }
    String path = absolute.group(2);
    return path.startsWith("/") ? path : "/" + path;
  }

  /// @return null if there is no such field
  private static @Nullable Header only(ClassicHttpRequest request, String name) throws Refusal {
    Header[] all = request.getHeaders(name);
    if (all.length > 1) {
      throw bad("there must be one field " + name + " at most");
    }
    return all.length == 0 ? null : all[0];
  }

  private static void requireField(String line) throws Refusal {
    if (!FIELD.matcher(line).matches()) {
      throw bad("a field must be: a name, a colon, and a value without control characters");
    }
  }

  // The body.

  /// {@return the most bytes that the body may have; 0 if there is none}
  ///
  /// @throws Refusal if the length is not clear, or too long
  int mostBytes(ClassicHttpRequest request) throws Refusal {
    Header length = only(request, HttpHeaders.CONTENT_LENGTH);
    if (isChunked(request)) {
      if (length != null || isOld(request)) {
        throw bad("Transfer-Encoding with Content-Length or in HTTP/1.0");
      }
      return limits.bodyBytes();
    }
    if (length == null) {
      return 0;
    }
    if (!LENGTH.matcher(length.getValue()).matches()) {
      throw bad("Content-Length must be digits");
    }
    long bytes = Long.parseLong(length.getValue());
    if (bytes > limits.bodyBytes()) {
      throw tooLong();
    }
    return (int) bytes;
  }

  private static boolean isChunked(ClassicHttpRequest request) throws Refusal {
    Header coding = only(request, HttpHeaders.TRANSFER_ENCODING);
    if (coding != null && !coding.getValue().toLowerCase(Locale.ROOT).equals("chunked")) {
      throw new Refusal(HttpStatus.SC_NOT_IMPLEMENTED, "Transfer-Encoding must be chunked");
    }
    return coding != null;
  }

  private static boolean isOld(ClassicHttpRequest request) {
    ProtocolVersion version = request.getVersion();
    return version != null && version.lessEquals(HttpVersion.HTTP_1_0);
  }

  /// {@return whether the client waits for status 100 before it sends the body} HTTP/1.0 has no
  /// status 100.
  ///
  /// @throws Refusal if it expects anything else
  static boolean expectsContinue(ClassicHttpRequest request) throws Refusal {
    Header expect = only(request, HttpHeaders.EXPECT);
    if (expect == null || isOld(request)) {
      return false;
    }
    if (!expect.getValue().toLowerCase(Locale.ROOT).equals("100-continue")) {
      throw new Refusal(HttpStatus.SC_EXPECTATION_FAILED, "Expect must be 100-continue");
    }
    return true;
  }

  /// Reads the body of the request whose head was read last.
  byte[] body(ClassicHttpRequest request) throws IOException, HttpException {
    if (isChunked(request)) {
      return chunks();
    }
    int length = mostBytes(request);
    return length == 0 ? NO_BODY : bytes(length);
  }

  private byte[] chunks() throws IOException, HttpException {
    var all = new ByteArrayOutputStream();
    for (int size; (size = chunkSize(limits.bodyBytes() - all.size())) > 0; ) {
      all.write(bytes(size));
      if (!line(false).isEmpty()) {
        throw bad("a chunk must be as long as it says");
      }
    }
    int trailers = 0;
    for (String line = line(false); !line.isEmpty(); line = line(false)) {
      requireField(line);
      if (++trailers > limits.headers()) {
        throw tooLarge();
      }
    }
    return all.toByteArray();
  }

  private int chunkSize(int most) throws IOException, HttpException {
    Matcher chunk = CHUNK.matcher(line(false));
    if (!chunk.matches()) {
      throw bad("a chunk must begin with its size in hexadecimal digits");
    }
    long size = Long.parseLong(chunk.group(1), 16);
    if (size > most) {
      throw tooLong();
    }
    return (int) size;
  }

  private byte[] bytes(int count) throws IOException {
    var bytes = new byte[count];
    for (int got = 0; got < count; ) {
      int n = in.read(bytes, got, count - got, input);
      if (n < 0) {
        throw new ConnectionClosedException();
      }
      got += n;
    }
    return bytes;
  }

  // Lines.

  /// {@return a line without its CR LF}
  private String line(boolean first) throws IOException, HttpException {
    var line = new StringBuilder();
    while (true) {
      int next = in.read(input);
      if (next < 0) {
        throw new ConnectionClosedException(first ? "no request" : "cut off");
      }
      if (next == '\r') {
        if (in.read(input) != '\n') {
          throw bad("a CR must be part of a CR LF");
        }
        return line.toString();
      } else if (next == '\n') {
        throw bad("a line must end in CR LF");
      }
      line.append((char) next);
      if (line.length() > limits.lineBytes()) {
        throw tooLarge();
      }
    }
  }

  private static Refusal bad(String message) {
    return new Refusal(HttpStatus.SC_BAD_REQUEST, message);
  }

  private Refusal tooLarge() {
    return new Refusal(
        HttpStatus.SC_REQUEST_HEADER_FIELDS_TOO_LARGE,
        "a line has more than %d bytes, or there are more than %d fields"
            .formatted(limits.lineBytes(), limits.headers()));
  }

  private Refusal tooLong() {
    return new Refusal(
        HttpStatus.SC_REQUEST_TOO_LONG, "the body is longer than " + limits.bodyBytes() + " bytes");
  }
}
