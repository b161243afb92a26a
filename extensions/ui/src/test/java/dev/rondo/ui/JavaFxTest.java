package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.VirtualDisplay;
import java.time.Duration;
import java.util.List;
import javafx.application.Platform;
import javafx.event.Event;
import javafx.scene.Group;
import javafx.scene.Scene;
import javafx.scene.shape.Rectangle;
import javafx.stage.Modality;
import javafx.stage.Stage;
import javafx.stage.WindowEvent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of JavaFX on its headless platform, in child JVMs, which have to end by themselves.
class JavaFxTest {

  /// The programs of the child JVMs.
  static final class Program {

    private static final Duration SOON = Duration.ofMillis(20);

    private Program() {}

    public static void main(String[] args) {
      switch (args[0]) {
        case "event" -> JavaFx.host().run(Program::event);
        case "dialog" -> JavaFx.host().run(Program::dialog);
        case "timeout" -> JavaFx.host().run(Program::timeout);
        case "close" -> JavaFx.host().run(Program::close);
        case "windowless" ->
            JavaFx.host()
                .run(app -> {
                  app.sleep(Duration.ofMillis(200));
                  say(Platform.isFxApplicationThread());
                });
        case "exit" -> {
          var e =
              assertThrows(
                  IllegalStateException.class,
                  () ->
                      JavaFx.host()
                          .run(app -> {
                            Platform.exit();
                            app.sleep(Duration.ofDays(1));
                          }));
          say(e.getMessage().contains("UI thread ended"));
          say(
              assertThrows(IllegalStateException.class, JavaFx::host)
                  .getMessage()
                  .contains("cannot start again"));
        }
        default -> throw new IllegalArgumentException(args[0]);
      }
    }

    private static void say(Object word) {
      System.out.print(word + " ");
      System.out.flush();
    }

    private static Stage stage() {
      assertTrue(Platform.isFxApplicationThread());
      Stage stage = new Stage();
      stage.setScene(new Scene(new Group(new Rectangle(100, 100))));
      stage.show();
      return stage;
    }

    private static void event(Application app) {
      Stage stage = stage();
      Rectangle box = (Rectangle) stage.getScene().getRoot().getChildrenUnmodifiable().get(0);
      app.delay(SOON, () -> Event.fireEvent(box, new Event(Event.ANY)));
      Event event = app.await(JavaFx.event(box, Event.ANY), Duration.ofSeconds(20));
      say(event.getTarget() == box);
      stage.close();
    }

    private static Stage question(Stage owner) {
      Stage dialog = new Stage();
      dialog.initOwner(owner);
      dialog.initModality(Modality.WINDOW_MODAL);
      dialog.setScene(new Scene(new Group(new Rectangle(50, 50))));
      return dialog;
    }

    private static void dialog(Application app) {
      Stage stage = stage();
      Stage dialog = question(stage);
      String[] answer = {"none"};
      app.spawn(
          "others go on",
          () -> {
            while (!dialog.isShowing()) {
              app.sleep(SOON);
            }
            for (int i = 0; i < 5; i++) {
              app.sleep(SOON);
            }
            say("showing=" + dialog.isShowing());
            answer[0] = "yes";
            dialog.close();
          });
      say(
          app.await(
              UiHost.dialog(
                  () -> {
                    dialog.showAndWait();
                    return answer[0];
                  },
                  dialog::close)));
      stage.close();
    }

    private static void timeout(Application app) {
      Stage stage = stage();
      Stage dialog = question(stage);
      assertThrows(
          TimedOutException.class,
          () ->
              app.await(
                  UiHost.dialog(
                      () -> {
                        dialog.showAndWait();
                        return "answer";
                      },
                      dialog::close),
                  Duration.ofMillis(200)));
      while (dialog.isShowing()) {
        app.sleep(SOON);
      }
      say("closed");
      stage.close();
    }

    private static void close(Application app) {
      Stage stage = stage();
      app.spawn(
          "forever",
          () -> {
            try {
              app.sleep(Duration.ofDays(1));
            } finally {
              say("cleaned");
            }
          });
      app.delay(
          SOON,
          () -> Event.fireEvent(stage, new WindowEvent(stage, WindowEvent.WINDOW_CLOSE_REQUEST)));
      app.await(JavaFx.event(stage, WindowEvent.WINDOW_CLOSE_REQUEST));
      say("closing");
      stage.close();
      var _ = app.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "event, true",
    "dialog, showing=true yes",
    "timeout, closed",
    "close, closing cleaned",
    "windowless, true",
    "exit, true true",
  })
  void program_onTheHeadlessPlatform_doesItsWorkAndEnds(String program, String expected)
      throws Exception {
    List<String> command =
        ChildJvm.command(
            Program.class, List.of("-Dglass.platform=Headless", "-Dprism.order=sw"), program);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = VirtualDisplay.outputOf(process);
    assertEquals(
        expected,
        printed.lines().filter(line -> !isWarning(line)).reduce("", String::concat).strip(),
        printed);
  }

  /// {@return whether JavaFX warns in a line that it is on the class path}
  private static boolean isWarning(String line) {
    return line.contains("Unsupported JavaFX configuration")
        || line.matches("[A-Z][a-z]{2} [0-9]{2},.*");
  }
}
