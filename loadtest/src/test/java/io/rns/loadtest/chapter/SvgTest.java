package io.rns.loadtest.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgTest {
  private static final Plot PLOT = Plot.of("name", "a < b & c", "clients", "ms");

  private static Document parsed(Plot plot) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(Svg.of(plot))));
  }

  private static List<String> texts(Document svg) {
    NodeList found = svg.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      texts.add(found.item(i).getTextContent());
    }
    return texts;
  }

  @Test
  void curvesAreDrawnFromZeroToTheLargestValue() throws Exception {
    Document svg = parsed(
        PLOT.with("add", List.of(new Plot.Point(0, 0), new Plot.Point(6, 5), new Plot.Point(12, 10))).mark("paper", 5));
    Element line = (Element) svg.getElementsByTagName("polyline").item(0);
    assertThat(line.getAttribute("points")).isEqualTo("70.0,346.0 345.0,191.0 620.0,36.0");
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(3);
    assertThat(texts(svg)).contains("a < b & c", "clients", "ms", "add", "paper", "0", "2", "10", "12");
  }

  @Test
  void aLogarithmicAxisShowsDecadesAndLeavesOutWhatItHasNoPlaceFor() throws Exception {
    Plot plot = PLOT.withLogarithmicX().withLogarithmicY();
    Document svg =
        parsed(plot.with("x", List.of(new Plot.Point(10, 100), new Plot.Point(100, 0), new Plot.Point(100, Double.NaN),
            new Plot.Point(1_000, 1e6))));
    Element line = (Element) svg.getElementsByTagName("polyline").item(0);
    assertThat(line.getAttribute("points")).isEqualTo("70.0,346.0 620.0,36.0");
    assertThat(texts(svg)).contains("10", "20", "50", "100", "1,000", "10,000", "1,000,000");
  }

  @Test
  void ticksAreRoundNumbersAndFew() {
    assertThat(Axis.over(List.of(0.0, 37.0), false, 0, 1).ticks()).containsExactly(0.0, 5.0, 10.0, 15.0, 20.0, 25.0,
        30.0, 35.0);
    assertThat(Axis.over(List.of(0.3), false, 0, 1).ticks()).hasSizeBetween(4, 9);
    assertThat(Axis.over(List.of(5.0, 5.0), true, 0, 1).ticks()).containsExactly(1.0, 2.0, 5.0, 10.0);
    assertThat(Axis.over(List.of(1.0, 100.0), true, 0, 200).place(10)).isCloseTo(100, within(1e-9));
    assertThat(Axis.over(List.of(0.0), false, 0, 10).place(0)).isEqualTo(0);
  }
}
