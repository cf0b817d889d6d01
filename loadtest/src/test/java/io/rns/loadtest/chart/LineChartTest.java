package io.rns.loadtest.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.loadtest.chart.LineChart.Point;
import io.rns.loadtest.chart.LineChart.Scale;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class LineChartTest {
  private static LineChart chart(Scale scale) {
    return new LineChart("a < b & c", "clients", Scale.LINEAR, "ms", scale);
  }

  @Test
  void textStaysTextAndTheSameDataGiveTheSamePicture() {
    List<Point> points = List.of(new Point(0, 0), new Point(6, 5, 1), new Point(12, 10));
    String svg = chart(Scale.LINEAR).curve("add", true, points).mark("paper", 5).svg(860, 400);
    assertThat(svg).contains(">a &lt; b &amp; c<", ">clients<", ">ms<", ">add<", ">paper<", ">0<", ">10<");
    assertThat(chart(Scale.LINEAR).curve("add", true, points).mark("paper", 5).svg(860, 400)).isEqualTo(svg);
  }

  @Test
  void aLogarithmicAxisLeavesOutWhatItHasNoPlaceFor() {
    LineChart chart = chart(Scale.LOGARITHMIC);
    assertThat(chart.curve("x", true, List.of(new Point(1, 0), new Point(2, Double.NaN))).isEmpty()).isTrue();
    assertThat(chart.curve("y", true, List.of(new Point(1, 100), new Point(2, 1e6))).svg(860, 400)).contains(">1,000<",
        ">100,000<");
  }

  @Test
  void curvesOfOnePolicyHaveOneColour() {
    String svg =
        chart(Scale.LINEAR).curve("lu, q=1", true, List.of(new Point(1, 1)))
            .curve("lu, q=2", true, List.of(new Point(1, 2)))
            .svg(860, 400);
    assertThat(svg).contains("rgb(0,114,178)").doesNotContain("rgb(213,94,0)");
  }

  @Test
  void picturesHaveTheirSize() throws IOException {
    byte[] png = chart(Scale.LINEAR).curve("x", false, List.of(new Point(1, 1), new Point(2, 2))).png(300, 200);
    BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(picture.getWidth()).isEqualTo(300);
    assertThat(picture.getHeight()).isEqualTo(200);
  }
}
