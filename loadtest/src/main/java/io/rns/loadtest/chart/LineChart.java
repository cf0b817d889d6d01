package io.rns.loadtest.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Rectangle;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.apache.batik.util.SVGConstants;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogarithmicAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.w3c.dom.DOMImplementation;

/** Curves over one quantity. A linear ordinate starts at 0. */
public final class LineChart {
  private static final List<Color> COLOURS =
      List.of(new Color(0x0072b2), new Color(0xd55e00), new Color(0x009e73), new Color(0xcc79a7), new Color(0x56b4e9),
          new Color(0x8c6d1f), Color.BLACK);
  private static final List<Stroke> LINES = List.of(new BasicStroke(2), dashed(2, 8, 4), dashed(2, 2, 4));
  private static final double MARGIN = 1.1;
  private static final Shape DOT = new Ellipse2D.Double(-3, -3, 6, 6);
  private static final Shape NO_DOT = new Rectangle();
  private static final Color GRID = new Color(0xe4e4e4);
  private static final Color TRANSPARENT = new Color(0, 0, 0, 0);
  private static final Color MARK = new Color(0x777777);

  static {
    // The labels of ordinates would be outlines.
    TextUtils.setUseDrawRotatedStringWorkaround(false);
  }

  private final String title;
  private final ValueAxis abscissa;
  private final ValueAxis ordinate;
  private final List<Curve> curves = new ArrayList<>();
  private final List<ValueMarker> marks = new ArrayList<>();

  /** A point of a curve; {@code halfWidth} is half of its confidence interval, or 0. */
  public record Point(double x, double y, double halfWidth) {
    public Point(double x, double y) {
      this(x, y, 0);
    }
  }

  private record Curve(XYIntervalSeries series, boolean intervals, boolean dots) {}

  public enum Scale {
    LINEAR,
    /** Decades; what is not positive cannot be drawn, and is left out. */
    LOGARITHMIC
  }

  public LineChart(String title, String x, Scale scaleX, String y, Scale scaleY) {
    this.title = title;
    this.abscissa = axis(x, scaleX);
    this.ordinate = axis(y, scaleY);
  }

  private static ValueAxis axis(String label, Scale scale) {
    NumberAxis axis;
    if (scale == Scale.LINEAR) {
      axis = new NumberAxis(label);
    } else {
      LogarithmicAxis logarithmic = new LogarithmicAxis(label);
      logarithmic.setAutoRangeNextLogFlag(true);
      logarithmic.setExpTickLabelsFlag(false);
      axis = logarithmic;
    }
    axis.setNumberFormatOverride(NumberFormat.getInstance(Locale.ROOT));
    return axis;
  }

  /**
   * Adds a curve, unless none of its points can be drawn. Curves whose names are alike up to a comma have one colour,
   * and those alike after it one kind of line.
   */
  public LineChart curve(String name, boolean dots, List<Point> points) {
    XYIntervalSeries series = new XYIntervalSeries(name);
    for (Point point : points) {
      if (isDrawn(point.x(), abscissa) && isDrawn(point.y(), ordinate)) {
        series.add(point.x(), point.x(), point.x(), point.y(), point.y() - point.halfWidth(),
            point.y() + point.halfWidth());
      }
    }
    if (series.getItemCount() > 0) {
      curves.add(new Curve(series, points.stream().anyMatch(point -> point.halfWidth() > 0), dots));
    }
    return this;
  }

  private static boolean isDrawn(double value, ValueAxis axis) {
    return Double.isFinite(value) && (!(axis instanceof LogarithmicAxis) || value > 0);
  }

  /** Adds a horizontal line to compare with. */
  public LineChart mark(String name, double y) {
    ValueMarker marker = new ValueMarker(y, MARK, dashed(1, 4, 4));
    marker.setLabel(name);
    marker.setLabelBackgroundColor(TRANSPARENT);
    marker.setLabelAnchor(RectangleAnchor.TOP_LEFT);
    marker.setLabelTextAnchor(TextAnchor.BOTTOM_LEFT);
    marks.add(marker);
    return this;
  }

  public boolean isEmpty() {
    return curves.isEmpty();
  }

  /** The chart as an SVG document whose text stays text; the same for the same data, size and fonts. */
  public String svg(int width, int height) {
    StringWriter text = new StringWriter();
    try {
      DOMImplementation documents =
          DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().getDOMImplementation();
      SVGGraphics2D graphics =
          new SVGGraphics2D(documents.createDocument(SVGConstants.SVG_NAMESPACE_URI, SVGConstants.SVG_SVG_TAG, null));
      graphics.setSVGCanvasSize(new Dimension(width, height));
      chart().draw(graphics, new Rectangle(width, height));
      graphics.stream(text, true);
      return text.toString();
    } catch (ParserConfigurationException | SVGGraphics2DIOException e) {
      throw new IllegalStateException("an SVG document cannot be written", e);
    }
  }

  public byte[] png(int width, int height) {
    try {
      return ChartUtils.encodeAsPNG(chart().createBufferedImage(width, height));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JFreeChart chart() {
    XYIntervalSeriesCollection data = new XYIntervalSeriesCollection();
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDrawXError(false);
    renderer.setDrawYError(curves.stream().anyMatch(Curve::intervals));
    renderer.setDefaultLinesVisible(true);
    renderer.setDrawSeriesLineAsPath(true);
    renderer.setDrawOutlines(false);
    List<String> colours = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (Curve curve : curves) {
      int index = data.getSeriesCount();
      data.addSeries(curve.series());
      String[] name = (curve.series().getKey() + ",").split(",", 3);
      renderer.setSeriesPaint(index, COLOURS.get(numberOf(name[0], colours) % COLOURS.size()));
      renderer.setSeriesStroke(index, LINES.get(numberOf(name[1], lines) % LINES.size()));
      renderer.setSeriesShape(index, curve.dots() ? DOT : NO_DOT);
    }
    XYPlot plot = new XYPlot(data, abscissa, ordinate, renderer);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(GRID);
    plot.setRangeGridlinePaint(GRID);
    marks.forEach(plot::addRangeMarker);
    JFreeChart chart = new JFreeChart(title, new Font(Font.SANS_SERIF, Font.PLAIN, 15), plot, true);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getLegend().setPosition(RectangleEdge.RIGHT);
    showMarks();
    return chart;
  }

  private static int numberOf(String name, List<String> known) {
    if (!known.contains(name)) {
      known.add(name);
    }
    return known.indexOf(name);
  }

  /** The range of an axis is that of the curves alone. */
  private void showMarks() {
    Range shown = ordinate.getRange();
    for (ValueMarker mark : marks) {
      shown = Range.expandToInclude(shown, mark.getValue());
    }
    if (!shown.equals(ordinate.getRange())) {
      ordinate.setRange(shown.getLowerBound() / MARGIN, shown.getUpperBound() * MARGIN);
    }
  }

  private static Stroke dashed(float width, float on, float off) {
    return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[]{on, off}, 0);
  }
}
