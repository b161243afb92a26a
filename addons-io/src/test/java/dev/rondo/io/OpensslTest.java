package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Certificates;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// TLS with another implementation, where it is installed.
class OpensslTest {

  private static final String NAME = "one.test";

  @TempDir Path folder;
  private Path pem;

  @BeforeEach
  void findOpenssl() throws Exception {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "openssl"))),
        "openssl is not installed");
    pem = folder.resolve("one.pem");
    Certificates.writePem(NAME, pem);
  }

  private static Process openssl(String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add("openssl");
    command.addAll(Arrays.asList(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @OnEveryBackend
  void ourServer_opensslClient_talk(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        Process client =
            openssl(
                "s_client",
                "-connect",
                "127.0.0.1:" + listener.port(),
                "-servername",
                NAME,
                "-CAfile",
                pem.toString(),
                "-verify_return_error",
                "-verify_hostname",
                NAME,
                "-alpn",
                "h2,echo",
                "-quiet");
        try {
          Task<String> said =
              world
                  .scheduler()
                  .spawn(() ->
                      world
                          .scheduler()
                          .blocking(() -> {
                            var out = client.outputWriter(StandardCharsets.UTF_8);
                            out.write("hello\n");
                            out.flush(); // but does not close it yet, because the client would end
                            return new String(
                                client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                          }));
          var server =
              new TlsServer(world.scheduler(), Certificates.context(NAME))
                  .applicationProtocols("echo");
          try (var socket = server.over(listener.accept())) {
            assertEquals("echo", socket.applicationProtocol().orElseThrow());
            var got = ByteBuffer.allocate(6);
            while (got.hasRemaining() && socket.read(got) >= 0) {}
            assertEquals("hello\n", new String(got.array(), StandardCharsets.UTF_8));
            socket.write("goodbye\n");
          }
          assertTrue(said.join().endsWith("goodbye\n"), said::join);
        } finally {
          client.destroyForcibly();
        }
      }
    });
  }

  @OnEveryBackend
  void ourClient_opensslServer_talk(IoRig rig) throws Exception {
    rig.run(world -> {
      Process server =
          openssl(
              "s_server",
              "-accept",
              "127.0.0.1:0",
              "-cert",
              pem.toString(),
              "-key",
              pem.toString(),
              "-naccept",
              "1",
              "-rev");
      try {
        int port =
            world
                .scheduler()
                .blocking(() -> {
                  var lines =
                      new BufferedReader(
                          new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
                  for (String line; (line = lines.readLine()) != null; ) {
                    if (line.startsWith("ACCEPT")) {
                      return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
                    }
                  }
                  throw new IOException("openssl s_server said no port");
                });
        var client = new TlsClient(world.scheduler(), Certificates.context(null, NAME));
        try (var socket = client.connect("127.0.0.1", port)) {
          socket.write("hello\n");
          var got = ByteBuffer.allocate(6);
          while (got.hasRemaining() && socket.read(got) >= 0) {}
          assertEquals("olleh\n", new String(got.array(), StandardCharsets.UTF_8));
        }
      } finally {
        server.destroyForcibly();
      }
    });
  }
}
