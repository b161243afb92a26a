package dev.rondo.examples;

import dev.rondo.application.Application;
import java.time.Duration;

/// The first program: ticks every second, echoes its input, and stops after five seconds. Try it
/// with `nc localhost 8080`; `-Dport=0` takes any free port.
final class Hello {

  private Hello() {}

  static void main() {
    Application.run(app -> {
      app.periodic(Duration.ofSeconds(1), () -> IO.println("tick"));
      app.delay(Duration.ofSeconds(5), app::stop);
      try (var listener = app.listen(Integer.getInteger("port", 8080))) {
        IO.println("echo on port " + listener.port());
        while (true) {
          var socket = listener.accept(); // suspends this task only
          app.spawn(
              "echo " + socket.remoteAddress(),
              () -> {
                try (socket) {
                  socket.input().transferTo(socket.output());
                }
              });
        }
      }
    });
  }
}
