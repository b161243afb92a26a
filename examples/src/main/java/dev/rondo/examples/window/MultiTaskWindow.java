package dev.rondo.examples.window;

import java.awt.BasicStroke;
import java.awt.BorderLayout;
import java.awt.Color;
import java.awt.Component;
import java.awt.Font;
import java.awt.Graphics;
import java.awt.Graphics2D;
import java.awt.GridLayout;
import java.awt.RenderingHints;
import java.awt.event.WindowEvent;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.swing.BorderFactory;
import javax.swing.Box;
import javax.swing.JButton;
import javax.swing.JComponent;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JProgressBar;
import javax.swing.SwingConstants;
import javax.swing.WindowConstants;

/// The widgets of `MultiTaskUi`, which know nothing of tasks.
public final class MultiTaskWindow {

  private static final String STYLE = "FlatLaf.styleClass";
  private static final int GAP = 12;
  private static final Color ACCENT = new Color(0x4dabf7);

  /// A ball; its position is a fraction of the picture's size.
  private static final class Ball {
    private final Color color;
    private final double radius;
    private double x;
    private double y;
    private double dx;
    private double dy;

    Ball(int number, Random random) {
      color = Color.getHSBColor(number / 12f, 0.55f, 0.95f);
      radius = 0.02 + random.nextDouble() * 0.03;
      x = random.nextDouble();
      y = random.nextDouble();
      dx = (random.nextDouble() - 0.5) / 40;
      dy = (random.nextDouble() - 0.5) / 40;
    }

    void move() {
      x += dx;
      y += dy;
      dx = x < radius ? Math.abs(dx) : x > 1 - radius ? -Math.abs(dx) : dx;
      dy = y < radius ? Math.abs(dy) : y > 1 - radius ? -Math.abs(dy) : dy;
    }
  }

  private static final class Arena extends JComponent {
    private final List<Ball> balls = new ArrayList<>();

    @Override
    protected void paintComponent(Graphics graphics) {
      Graphics2D g = smooth(graphics);
      for (Ball ball : balls) {
        double r = ball.radius * getHeight();
        g.setColor(ball.color);
        g.fill(
            new Ellipse2D.Double(ball.x * getWidth() - r, ball.y * getHeight() - r, 2 * r, 2 * r));
      }
    }
  }

  /// A chart of the last round trips.
  private static final class Curve extends JComponent {
    private static final int POINTS = 80;
    private static final double HIGHEST = 2_000;

    private final List<Double> micros = new ArrayList<>();

    void add(double value) {
      micros.add(value);
      if (micros.size() > POINTS) {
        micros.removeFirst();
      }
      repaint();
    }

    @Override
    protected void paintComponent(Graphics graphics) {
      Graphics2D g = smooth(graphics);
      var line = new Path2D.Double();
      for (int i = 0; i < micros.size(); i++) {
        double x = i * (getWidth() - 1.0) / (POINTS - 1);
        double y = getHeight() - 3 - Math.min(1, micros.get(i) / HIGHEST) * (getHeight() - 6);
        if (i == 0) {
          line.moveTo(x, y);
        } else {
          line.lineTo(x, y);
        }
      }
      g.setColor(ACCENT);
      g.setStroke(new BasicStroke(1.6f));
      g.draw(line);
    }
  }

  private final JFrame frame = new JFrame("One thread, many tasks");
  private final JLabel time = label("", "h1");
  private final JLabel primes = label("", "large");
  private final JLabel trip = label("", "large");
  private final Curve trips = new Curve();
  private final Arena arena = new Arena();
  private final JButton ask = new JButton("Ask me something");
  private final JLabel log = new JLabel(" ");
  private final List<JProgressBar> downloads = new ArrayList<>();

  public MultiTaskWindow(int downloadCount, int ballCount) {
    var random = new Random(7);
    for (int i = 0; i < ballCount; i++) {
      arena.balls.add(new Ball(i, random));
    }
    var left = new JPanel(new GridLayout(0, 1, GAP, GAP));
    left.add(card("A task that computes", primes));
    left.add(card("A task that talks to a server", trip, trips));
    var bars = new JPanel(new GridLayout(0, 1, 0, GAP / 2));
    for (int i = 1; i <= downloadCount; i++) {
      var bar = new JProgressBar();
      bar.setName("download " + i);
      bar.setStringPainted(true);
      downloads.add(bar);
      bars.add(bar);
    }
    left.add(card("Tasks that wait", bars));

    var center = new JPanel(new GridLayout(1, 2, GAP, GAP));
    center.add(left);
    center.add(card("A task for each ball", arena));

    var top = new JPanel(new BorderLayout());
    top.add(label("Everything here runs on the UI thread", "h2"), BorderLayout.WEST);
    time.setHorizontalAlignment(SwingConstants.RIGHT);
    top.add(time, BorderLayout.EAST);

    var bottom = new JPanel(new BorderLayout(GAP, 0));
    bottom.add(log, BorderLayout.CENTER);
    bottom.add(ask, BorderLayout.EAST);

    var all = new JPanel(new BorderLayout(GAP, GAP));
    all.setBorder(BorderFactory.createEmptyBorder(GAP, GAP, GAP, GAP));
    all.add(top, BorderLayout.NORTH);
    all.add(center, BorderLayout.CENTER);
    all.add(bottom, BorderLayout.SOUTH);
    frame.setDefaultCloseOperation(WindowConstants.DO_NOTHING_ON_CLOSE);
    frame.setContentPane(all);
    frame.setSize(760, 500);
    frame.setLocation(20, 20);
    frame.setVisible(true);
  }

  private static JLabel label(String text, String style) {
    var label = new JLabel(text);
    label.putClientProperty(STYLE, style);
    label.setAlignmentX(Component.LEFT_ALIGNMENT);
    return label;
  }

  private static JPanel card(String title, JComponent... content) {
    var card = new JPanel(new BorderLayout(0, GAP / 2));
    card.setBorder(BorderFactory.createEmptyBorder(GAP, GAP, GAP, GAP));
    card.putClientProperty("FlatLaf.style", "arc: 12; background: lighten(@background, 4%)");
    var heading = label(title, "small");
    heading.setFont(heading.getFont().deriveFont(Font.BOLD));
    heading.setForeground(Color.LIGHT_GRAY);
    card.add(heading, BorderLayout.NORTH);
    if (content.length == 1) {
      content[0].setOpaque(false);
      card.add(content[0], BorderLayout.CENTER);
    } else {
      var column = Box.createVerticalBox();
      for (JComponent each : content) {
        each.setAlignmentX(Component.LEFT_ALIGNMENT);
        column.add(each);
      }
      card.add(column, BorderLayout.CENTER);
    }
    return card;
  }

  private static Graphics2D smooth(Graphics graphics) {
    Graphics2D g = (Graphics2D) graphics;
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    return g;
  }

  public JFrame frame() {
    return frame;
  }

  public JButton ask() {
    return ask;
  }

  public List<JProgressBar> downloads() {
    return downloads;
  }

  public void time(LocalTime now) {
    time.setText(now.getSecond() == 0 ? now + ":00" : now.toString());
  }

  public void primes(int count, int upTo) {
    primes.setText("%,d primes below %,d".formatted(count, upTo));
  }

  public void roundTrip(Duration taken) {
    double micros = taken.toNanos() / 1e3;
    trip.setText("there and back in %,.0f us".formatted(micros));
    trips.add(micros);
  }

  public void move(int ball) {
    arena.balls.get(ball).move();
    arena.repaint();
  }

  public void log(String line) {
    log.setText(line);
  }

  /// Places a dialog where it covers little.
  public void place(JDialog dialog) {
    dialog.setLocationRelativeTo(arena);
  }

  /// Presses the button as a user would.
  public void pressAsk() {
    ask.doClick(0);
  }

  /// Closes the window as a user would.
  public void close() {
    frame.dispatchEvent(new WindowEvent(frame, WindowEvent.WINDOW_CLOSING));
  }
}
