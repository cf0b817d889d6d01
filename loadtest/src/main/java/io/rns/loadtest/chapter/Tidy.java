package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Set;

/**
 * Results in the form in which they are kept: without digits that no measurement has, and lists of what nothing is told
 * of.
 */
final class Tidy {
  private static final MathContext DIGITS = new MathContext(5);
  private static final Set<String> LEFT_OUT =
      Set.of("perSecond", "utilisation", "resolutionsPerRequest", "rejectedShare", "failedShare");

  private Tidy() {}

  static JsonNode of(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode tidy = Results.MAPPER.createObjectNode();
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        if (!(LEFT_OUT.contains(field.getKey()) && field.getValue().isContainerNode())) {
          tidy.set(field.getKey(), of(field.getValue()));
        }
      }
      return tidy;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode tidy = Results.MAPPER.createArrayNode();
      array.forEach(one -> tidy.add(of(one)));
      return tidy;
    }
    return node.isDouble() && Double.isFinite(node.asDouble()) ? DoubleNode.valueOf(rounded(node.asDouble())) : node;
  }

  private static double rounded(double value) {
    return new BigDecimal(value).round(DIGITS).doubleValue();
  }
}
