package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.scheduler.testing.NullArguments;
import dev.rondo.time.VirtualClock;
import java.util.List;
import javafx.event.EventType;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class UiNullArgumentTest {

  @Test
  void null_toUserInterfaces_isRefusedByName() throws Exception {
    var arguments =
        new NullArguments(() -> Application.builder().clock(new VirtualClock()).build().scheduler())
            .sample(Application.class, scheduler -> Application.current())
            .sample(ApplicationBuilder.class, scheduler -> Application.builder())
            .sample(EventType.class, scheduler -> EventType.ROOT)
            .sample(UiHost.class, scheduler -> Swing.host());
    assertEquals(List.of(), arguments.notRefused(UiHost.class));
  }
}
