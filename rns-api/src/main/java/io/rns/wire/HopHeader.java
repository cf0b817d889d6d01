package io.rns.wire;

import io.rns.api.Hop;
import io.rns.api.Position;
import io.rns.api.HopStep;
import io.rns.error.Limits;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code x:Hop} in the header of a response: one server, or front, on the way of the request, and what it did. */
final class HopHeader {
  private static final String POSITION = "position";

  private HopHeader() {}

  static void write(XmlBuffer out, Hop hop) {
    out.raw("<_x:Hop xmlns:_x=\"" + Namespaces.EXT + "\"").attribute("level", hop.level());
    hop.asked().ifPresent(asked -> {
      out.attribute("url", Faults.clean(asked.url())).attribute("reason", Faults.clean(asked.reason()));
      out.attribute("round-trip-micros", asked.micros());
      asked.failure().ifPresent(why -> out.attribute("failure", Faults.clean(why)));
    });
    if (hop.answered().isEmpty()) {
      out.raw("/>");
      return;
    }
    Hop.Answered answered = hop.answered().get();
    Hop.Self self = answered.self();
    out.attribute("server", self.server()).attribute("group", self.group()).attribute("role", self.role());
    self.position().ifPresent(position -> out.attribute("arrived-at", position.toString()));
    answered.position().ifPresent(position -> out.attribute(POSITION, position.toString()));
    out.attribute("micros", answered.micros()).raw(">");
    answered.steps().forEach(step -> write(out, step));
    out.raw("</_x:Hop>");
  }

  private static void write(XmlBuffer out, HopStep step) {
    if (step instanceof HopStep.Copy copy) {
      out.raw("<_x:Copy").attribute("statements", copy.statements());
    } else if (step instanceof HopStep.Waited waited) {
      out.raw("<_x:Waited").attribute(POSITION, waited.position().toString()).attribute("micros", waited.micros())
          .attribute("reached", Boolean.toString(waited.reached()));
    } else if (step instanceof HopStep.Primary primary) {
      out.raw("<_x:Primary").attribute("reason", primary.reason().text());
    } else if (step instanceof HopStep.Cut cut) {
      out.raw("<_x:Cut").attribute("depth", cut.depth()).attribute("group", cut.group())
          .attribute("by-map", Boolean.toString(cut.byMap()));
    } else if (step instanceof HopStep.Root root) {
      out.raw("<_x:Root").attribute("group", root.group());
    } else if (step instanceof HopStep.Cache cache) {
      out.raw("<_x:Cache").attribute("finding", cache.finding().text());
    } else if (step instanceof HopStep.Passed passed) {
      out.raw("<_x:Passed").attribute("url", Faults.clean(passed.url()))
          .attribute("reason", Faults.clean(passed.reason()));
    }
    out.raw("/>");
  }

  /**
   * Reads the element at {@code pull} and moves to its end. The response is valid without it, so unknown content from a
   * server of another version is skipped: a single step, or the whole element.
   */
  static Optional<Hop> read(XmlPull pull) {
    Attributes hop = new Attributes(pull);
    List<HopStep> steps = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.namespace().equals(Namespaces.EXT) && steps.size() < Limits.EXPLAINED_HOPS) {
        step(pull.localName(), new Attributes(pull)).ifPresent(steps::add);
      }
      pull.skip();
    }
    try {
      int level = Math.max(1, Math.min(Limits.EXPLAINED_HOPS, hop.number("level")));
      return Optional.of(new Hop(level, asked(hop), answered(hop, steps)));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  private static Optional<Hop.Asked> asked(Attributes hop) {
    return hop.of("url").map(url -> new Hop.Asked(
        url, hop.of("reason").orElse(""), hop.number("round-trip-micros"), hop.of("failure")));
  }

  private static Optional<Hop.Answered> answered(Attributes hop, List<HopStep> steps) {
    return hop.of("server").map(server -> new Hop.Answered(
        new Hop.Self(server, hop.number("group"), hop.of("role").orElse(""), hop.of("arrived-at").map(Position::parse)),
        hop.of(POSITION).map(Position::parse), hop.number("micros"), steps));
  }

  private static Optional<HopStep> step(String kind, Attributes step) {
    try {
      return Optional.ofNullable(switch (kind) {
        case "Copy" -> new HopStep.Copy(step.number("statements"));
        case "Waited" ->
          new HopStep.Waited(Position.parse(step.of(POSITION).orElse("")), step.number("micros"), step.flag("reached"));
        case "Primary" -> Stream.of(HopStep.Reason.values())
            .filter(each -> each.text().equals(step.of("reason").orElse(""))).findFirst()
            .map(HopStep.Primary::new).orElse(null);
        case "Cut" -> new HopStep.Cut(step.number("depth"), step.number("group"), step.flag("by-map"));
        case "Root" -> new HopStep.Root(step.number("group"));
        case "Cache" -> Stream.of(HopStep.Finding.values())
            .filter(each -> each.text().equals(step.of("finding").orElse(""))).findFirst()
            .map(HopStep.Cache::new).orElse(null);
        case "Passed" -> new HopStep.Passed(step.of("url").orElse(""), step.of("reason").orElse(""));
        default -> null;
      });
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  /** The attributes of an element, read before its children are. */
  private static final class Attributes {
    private static final List<String> KNOWN = List.of(
        "level", "url", "reason", "round-trip-micros", "failure", "server", "group", "role", "arrived-at", POSITION,
        "micros", "statements", "reached", "depth", "by-map", "finding");

    private final Map<String, String> values = new HashMap<>();

    Attributes(XmlPull pull) {
      for (String name : KNOWN) {
        String value = pull.attribute("", name);
        if (value != null) {
          values.put(name, value);
        }
      }
    }

    Optional<String> of(String name) {
      return Optional.ofNullable(values.get(name));
    }

    int number(String name) {
      return (int) Math.min(Integer.MAX_VALUE, Markup.unsigned("attribute '" + name + "'", of(name).orElse("")));
    }

    boolean flag(String name) {
      return of(name).filter("true"::equals).isPresent();
    }
  }
}
