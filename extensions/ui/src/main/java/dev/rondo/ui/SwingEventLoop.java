package dev.rondo.ui;

import java.awt.AWTEvent;
import java.awt.ActiveEvent;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.Toolkit;
import java.awt.event.PaintEvent;
import org.jspecify.annotations.Nullable;

/// AWT's event queue.
///
/// The queue orders events by priority, which follows from their id: painting requested by the
/// window system comes last, after input and after events posted with `invokeLater`. If each slice
/// posted the next one with `invokeLater`, painting would starve; so the events of this class have
/// the id of painting.
final class SwingEventLoop implements EventLoop {

  /// An event that runs an action.
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

  /// Never visible. AWT's thread does not end while a window has a peer.
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
