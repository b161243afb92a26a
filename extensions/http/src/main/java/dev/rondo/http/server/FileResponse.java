package dev.rondo.http.server;

import dev.rondo.http.files.internal.ContentTypes;
import dev.rondo.http.files.internal.FileConditions;
import dev.rondo.http.files.internal.FileFacts;
import dev.rondo.http.files.internal.FileNames;
import dev.rondo.http.files.internal.FilePlan;
import dev.rondo.http.files.internal.FoundFile;
import dev.rondo.http.files.internal.ServedFolder;
import dev.rondo.http.files.internal.SharedFile;
import dev.rondo.http.internal.ContentCoding;
import dev.rondo.http.internal.SentBody;
import dev.rondo.io.file.FileOperation;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.netty.NettyTransport;
import dev.rondo.netty.WaitForNetty;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Date;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A file as the response to a request. Small files are read at once. In HTTP/1.1 without TLS the
/// system itself sends larger files. Otherwise the next part is read when the client has taken the
/// last part, so that only one part of a file is in memory.
///
/// Confined to the scheduler's thread, and to the task of the request. Files are opened and read on
/// the threads of [WaitForFile].
final class FileResponse {

  /// The part of a file that is in memory.
  private static final int CHUNK_BYTES = 64 << 10;

  /// The part that the system is asked to send at once. The client has a limited time for each
  /// part.
  private static final int REGION_BYTES = 512 << 10;

  /// Makes browsers accept the type.
  private static final AsciiString TYPE_OPTIONS = AsciiString.cached("x-content-type-options");

  private final HttpServer server;
  private final HttpWire wire;
  private final HttpRequest request;
  private final HttpResponder responder;
  private final FileConditions conditions;

  FileResponse(HttpServer server, HttpWire wire, HttpRequest request, HttpResponder responder) {
    this.server = server;
    this.wire = wire;
    this.request = request;
    this.responder = responder;
    this.conditions = new FileConditions(request, server.clock.instant());
  }

  /// Responds with a file that the program names.
  void send(Path path) throws IOException {
    boolean headOnly = isHead();
    FoundFile found = find(path, () -> FoundFile.at(path, conditions, headOnly));
    respond(found, null);
  }

  /// Responds with a file that the client names.
  ///
  /// @param name decoded
  void send(ServedFolder files, String name) throws IOException {
    if (!FileNames.isAllowed(name, files)) {
      throw missing();
    }
    boolean headOnly = isHead();
    respond(find(files.folder(), () -> FoundFile.in(files, name, conditions, headOnly)), files);
  }

  private FoundFile find(Path path, FileOperation<FoundFile> lookup) throws IOException {
    return WaitForFile.on(server.scheduler).run("send", path, lookup);
  }

  private boolean isHead() {
    return request.method().equals(HttpMethod.HEAD);
  }

  static HttpStatusException missing() {
    return HttpStatusException.refusal(HttpResponseStatus.NOT_FOUND, "there is no such page");
  }

  private void respond(FoundFile found, @Nullable ServedFolder files) throws IOException {
    switch (found) {
      case FoundFile.Missing none -> throw missing();
      case FoundFile.Folder folder -> redirect();
      case FoundFile.Known known -> respond(known, files);
      case FoundFile.Opened opened -> {
        var file = new SharedFile(opened.channel());
        try {
          respond(opened, file, files);
        } finally {
          boolean _ = file.release();
        }
      }
    }
  }

  /// Relative links in a folder's page require an address that ends with a slash.
  private void redirect() throws IOException {
    RequestTarget target = RequestTarget.of(request.uri());
    if (target.path().startsWith("//")) {
      throw missing(); // a client would take it for another host
    }
    String query = target.query().isEmpty() ? "" : "?" + target.query();
    responder.headers().set(HttpHeaderNames.LOCATION, target.path() + "/" + query);
    responder.respond(HttpResponseStatus.MOVED_PERMANENTLY, "", new byte[0]);
  }

  private void respond(FoundFile.Known known, @Nullable ServedFolder files) throws IOException {
    FilePlan plan = known.plan();
    describe(known.name(), known.facts(), plan, files);
    if (!plan.hasContent()) {
      refuse(plan, known.facts());
    } else if (isHead()) {
      var _ = open(plan);
    } else {
      responder.respond(plan.status(), "", known.content());
    }
  }

  private void respond(FoundFile.Opened opened, SharedFile file, @Nullable ServedFolder files)
      throws IOException {
    FilePlan plan = opened.plan();
    describe(opened.name(), opened.facts(), plan, files);
    OutputStream out = open(plan);
    if (!(out instanceof SentBody body)) {
      copy(opened, out);
    } else if (isSentBySystem(opened)) {
      transfer(opened, file, body);
    } else {
      copy(opened, body);
    }
  }

  private boolean isSentBySystem(FoundFile.Opened opened) {
    long end = opened.plan().from() + opened.plan().lengthBytes();
    return wire.sendsFiles()
        && opened.path().getFileSystem() == FileSystems.getDefault()
        && (end <= Integer.MAX_VALUE || !cutsPositions());
  }

  /// Netty 4.2.17 truncates the position in a file to an `int` there, and would send other bytes.
  private boolean cutsPositions() {
    return WaitForNetty.on(server.scheduler).transport() == NettyTransport.IO_URING;
  }

  private void describe(String name, FileFacts facts, FilePlan plan, @Nullable ServedFolder files) {
    HttpHeaders headers = responder.headers();
    if (!headers.contains(HttpHeaderNames.CONTENT_TYPE)) {
      headers.set(
          HttpHeaderNames.CONTENT_TYPE,
          files == null ? ContentTypes.of(name, Map.of()) : files.contentType(name));
      headers.set(TYPE_OPTIONS, "nosniff");
    }
    if (files != null && !files.cacheControl().isEmpty()) {
      headers.set(HttpHeaderNames.CACHE_CONTROL, files.cacheControl());
    }
    headers.set(HttpHeaderNames.ETAG, conditions.tag(facts));
    headers.set(HttpHeaderNames.LAST_MODIFIED, DateFormatter.format(Date.from(facts.modified())));
    headers.set(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.BYTES);
    if (plan.isPart()) {
      long last = plan.from() + plan.lengthBytes() - 1;
      headers.set(
          HttpHeaderNames.CONTENT_RANGE,
          "bytes " + plan.from() + '-' + last + '/' + facts.sizeBytes());
    }
  }

  private void refuse(FilePlan plan, FileFacts facts) throws IOException {
    HttpHeaders headers = responder.headers();
    if (plan.status().equals(HttpResponseStatus.NOT_MODIFIED)) {
      if (responder.coding(HttpResponseStatus.OK, facts.sizeBytes()) != null) {
        headers.set(HttpHeaderNames.ETAG, ContentCoding.weak(headers.get(HttpHeaderNames.ETAG)));
      }
      headers.remove(HttpHeaderNames.CONTENT_TYPE);
      responder.respond(plan.status(), "", new byte[0]);
      return;
    }
    responder.forgetPage();
    headers.remove(HttpHeaderNames.CONTENT_TYPE);
    if (plan.status().equals(HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE)) {
      headers.set(HttpHeaderNames.CONTENT_RANGE, "bytes */" + facts.sizeBytes());
    }
    responder.respond(plan.status(), "", new byte[0]);
  }

  private OutputStream open(FilePlan plan) throws IOException {
    ContentCoding coding = responder.coding(plan.status(), plan.lengthBytes());
    if (coding == null) {
      responder.headers().set(HttpHeaderNames.CONTENT_LENGTH, plan.lengthBytes());
      return responder.open(plan.status(), plan.lengthBytes());
    }
    responder.headers().remove(HttpHeaderNames.ACCEPT_RANGES);
    return responder.open(plan.status(), SentBody.OPEN_END, coding);
  }

  /// The system sends the file, without a copy in this process.
  private void transfer(FoundFile.Opened opened, SharedFile file, SentBody body)
      throws IOException {
    long end = opened.plan().from() + opened.plan().lengthBytes();
    for (long at = opened.plan().from(); at < end; ) {
      long count = Math.min(end - at, REGION_BYTES);
      try {
        body.send(file.part(at, count), count);
      } catch (IOException | RuntimeException e) {
        if (file.channel().size() < end) {
          server.host.report("send " + opened.path(), e);
        }
        throw e;
      }
      at += count;
    }
  }

  /// Sends the parts one after the other, as the client takes them.
  private void copy(FoundFile.Opened opened, SentBody body) throws IOException {
    long end = opened.plan().from() + opened.plan().lengthBytes();
    for (long at = opened.plan().from(); at < end; ) {
      int count = (int) Math.min(end - at, CHUNK_BYTES);
      ByteBuf chunk = wire.newBuffer(count);
      try {
        read(opened, chunk.nioBuffer(0, count), at);
      } catch (Throwable e) {
        chunk.release();
        throw e;
      }
      body.send(new DefaultHttpContent(chunk.writerIndex(count)), count);
      at += count;
    }
  }

  /// Writes to a compressor. Other tasks have their turns while the next part is read.
  private void copy(FoundFile.Opened opened, OutputStream out) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long end = opened.plan().from() + opened.plan().lengthBytes();
    for (long at = opened.plan().from(); at < end; ) {
      int count = (int) Math.min(end - at, CHUNK_BYTES);
      read(opened, ByteBuffer.wrap(chunk, 0, count), at);
      out.write(chunk, 0, count);
      at += count;
    }
  }

  private void read(FoundFile.Opened opened, ByteBuffer into, long from) throws IOException {
    FileChannel channel = opened.channel();
    Path path = opened.path();
    WaitForFile.on(server.scheduler)
        .<@Nullable Void>run(
            "read",
            path,
            () -> {
              FoundFile.readFully(channel, into, from, path);
              return null;
            });
  }
}
