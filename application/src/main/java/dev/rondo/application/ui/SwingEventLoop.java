package dev.rondo.application.ui;

import java.awt.AWTEvent;
import java.awt.ActiveEvent;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.Toolkit;
import java.awt.event.PaintEvent;
import org.jspecify.annotations.Nullable;

/// AWT's event queue.
///
/// It knows priorities, by the number of the event: painting that the window system asks for comes
/// last, behind input and whatever was posted with `invokeLater`. A slice that posts the next one
/// with `invokeLater` would keep it from ever being painted; so our events have that number too.
final class SwingEventLoop implements EventLoop {

  /// Runs something when its turn has come.
  private static final class Event extends AWTEvent implements ActiveEvent {

    private final Runnable action;

    Event(Object source, Runnable action) {
      super(source, PaintEvent.PAINT_LAST);
      this.action = action;
    }

    @Override
    public void dispatch() {
      action.run();
    }
  }

  /// Never visible. While a window has its peer AWT's thread does not end.
  private @Nullable Frame keeper;

  @Override
  public void post(Runnable event) {
    EventQueue queue = Toolkit.getDefaultToolkit().getSystemEventQueue();
    queue.postEvent(new Event(queue, event));
  }

  @Override
  public boolean isUiThread() {
    return EventQueue.isDispatchThread();
  }

  @Override
  public void hold() {
    Frame made = new Frame();
    made.addNotify();
    keeper = made;
  }

  @Override
  public void release() {
    if (keeper != null) {
      keeper.dispose();
      keeper = null;
    }
  }
}
