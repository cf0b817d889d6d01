package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.Hop;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.api.HopStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The front and servers on the way of a lookup, for people and as JSON. */
record HopLines(RnsPath path) {
  private static final double MICROS_PER_MILLI = 1_000;

  static String millis(long micros) {
    return String.format(Locale.ROOT, "%.1f ms", micros / MICROS_PER_MILLI);
  }

  /** The lines of a server. */
  List<String> of(Hop hop) {
    String indent = "  ".repeat(hop.level() - 1);
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(indent + hop.answered().map(HopLines::title).orElse("(does not explain)")
        + hop.asked().map(asked -> "  " + millis(asked.micros())).orElse("")
        + hop.answered().map(answered -> ", " + millis(answered.micros())
            + (isFront(answered.self()) ? " until it passed the request on" : " in the server")).orElse(""));
    hop.asked().ifPresent(asked -> {
      lines.add(indent + "  " + asked.url() + (hop.level() == 1 ? ": " + asked.reason() : ""));
      asked.failure().ifPresent(why -> lines.add(indent + "  failed: " + why));
    });
    hop.answered().ifPresent(
        answered -> answered.steps().forEach(step -> lines.add(indent + "  " + text(step, answered.self().group()))));
    return lines;
  }

  private static boolean isFront(Hop.Self self) {
    return self.role().equals(Hop.FRONT);
  }

  private static String title(Hop.Answered answered) {
    Hop.Self self = answered.self();
    return isFront(self) ? self.server() + "  front"
        : self.server() + "  group " + self.group() + ", " + self.role()
            + self.position().map(position -> ", at " + position).orElse("")
            + answered.position().filter(after -> !self.position().equals(answered.position()))
                .map(after -> ", then at " + after).orElse("");
  }

  private String text(HopStep step, int group) {
    if (step instanceof HopStep.Copy copy) {
      return copy.statements() == 0 ? "read its copy: all in the cache"
          : "read its copy: " + copy.statements() + (copy.statements() == 1 ? " statement" : " statements")
              + " to the database";
    }
    if (step instanceof HopStep.Waited waited) {
      return "waited " + millis(waited.micros()) + " for position " + waited.position()
          + (waited.reached() ? "" : ", which did not come");
    }
    if (step instanceof HopStep.Primary primary) {
      return "passed on to the primary: " + reason(primary.reason());
    }
    if (step instanceof HopStep.Cut cut) {
      return "cut at " + path(cut) + ": its content belongs to " + (cut.group() == group ? "this group"
          : "group "
              + cut.group())
          + ", by " + (cut.byMap() ? "the map" : "its entry");
    }
    if (step instanceof HopStep.Cache cache) {
      return "its cache " + finding(cache.finding());
    }
    if (step instanceof HopStep.Passed passed) {
      return "passed on to " + passed.url() + ": " + passed.reason();
    }
    return "passed on to the group of the root: only that knows this path as recently as required";
  }

  private static String finding(HopStep.Finding finding) {
    return switch (finding) {
      case HELD -> "has the answer, which it gives to requests that are not explained";
      case ABSENT -> "has no answer to this lookup";
      case CHANGED -> "has an answer that a change has made stale";
      case AGE -> "has an answer, which is not as recent as the lookup requires";
      case UNKNOWN -> "is not used now: the front does not know what has changed, or servers allow no caching";
      case PRIMARY -> "is not used: the lookup is for the primary";
      case PRIVATE -> "is not used: the request has a credential, or is more than a lookup";
      case OFF -> "is turned off";
    };
  }

  private static String reason(HopStep.Reason reason) {
    return switch (reason) {
      case WRITE -> "a write";
      case CONSISTENCY -> "the read requires it";
      case POSITION -> "its copy lacks the position seen";
      case AGE -> "its copy may be older than the read allows";
      case NO_COPY -> "it has no copy to read";
    };
  }

  private RnsPath path(HopStep.Cut cut) {
    return path.prefix(Math.min(cut.depth(), path.depth()));
  }

  /** An array of the open object. */
  void write(JsonGenerator json, List<Hop> hops) throws IOException {
    json.writeArrayFieldStart("hops");
    for (Hop hop : hops) {
      json.writeStartObject();
      json.writeNumberField("level", hop.level());
      if (hop.asked().isPresent()) {
        Hop.Asked asked = hop.asked().get();
        json.writeStringField("url", asked.url());
        json.writeStringField("reason", asked.reason());
        json.writeNumberField("roundTripMicros", asked.micros());
        json.writeStringField("failure", asked.failure().orElse(null));
      }
      if (hop.answered().isPresent()) {
        write(json, hop.answered().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void write(JsonGenerator json, Hop.Answered answered) throws IOException {
    Hop.Self self = answered.self();
    json.writeStringField("server", self.server());
    json.writeNumberField("group", self.group());
    json.writeStringField("role", self.role());
    json.writeStringField("arrivedAt", self.position().map(Position::toString).orElse(null));
    json.writeStringField("position", answered.position().map(Position::toString).orElse(null));
    json.writeNumberField("micros", answered.micros());
    json.writeArrayFieldStart("steps");
    for (HopStep step : answered.steps()) {
      json.writeStartObject();
      write(json, step);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void write(JsonGenerator json, HopStep step) throws IOException {
    json.writeStringField("step", step.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    if (step instanceof HopStep.Copy copy) {
      json.writeNumberField("statements", copy.statements());
    } else if (step instanceof HopStep.Waited waited) {
      json.writeStringField("position", waited.position().toString());
      json.writeNumberField("micros", waited.micros());
      json.writeBooleanField("reached", waited.reached());
    } else if (step instanceof HopStep.Primary primary) {
      json.writeStringField("reason", primary.reason().text());
    } else if (step instanceof HopStep.Cut cut) {
      json.writeStringField("path", path(cut).toString());
      json.writeNumberField("group", cut.group());
      json.writeStringField("by", cut.byMap() ? "map" : "entry");
    } else if (step instanceof HopStep.Root root) {
      json.writeNumberField("group", root.group());
    } else if (step instanceof HopStep.Cache cache) {
      json.writeStringField("finding", cache.finding().text());
    } else if (step instanceof HopStep.Passed passed) {
      json.writeStringField("url", passed.url());
      json.writeStringField("reason", passed.reason());
    }
  }
}
