package dev.rondo.ui;

import javafx.application.Platform;
import javafx.stage.Window;

/// The event loop of JavaFX. Posted events do not delay its input and its pulses.
final class JavaFxEventLoop implements EventLoop {

  private boolean implicitExit;

  @Override
  public void post(Runnable event) {
    Platform.runLater(event);
  }

  @Override
  public boolean isUiThread() {
    return Platform.isFxApplicationThread();
  }

  @Override
  public void hold() {
    implicitExit = Platform.isImplicitExit();
    Platform.setImplicitExit(false);
  }

  @Override
  public void release() {
    Platform.setImplicitExit(implicitExit);
    if (implicitExit && Window.getWindows().stream().noneMatch(Window::isShowing)) {
      Platform.exit();
    }
  }
}
