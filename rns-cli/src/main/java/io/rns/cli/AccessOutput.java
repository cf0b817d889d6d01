package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.AccessRule;
import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.client.PathAccess;
import io.rns.client.PathAccess.PathDirectory;
import io.rns.client.PathAccess.Reason;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Prints what holds at a path. */
final class AccessOutput {
  private final Output output;

  AccessOutput(Output output) {
    this.output = output;
  }

  static PathAccess read(NameService service, RnsPath path) {
    return PathAccess.read(service, CallContext.ANONYMOUS, path);
  }

  /** The rules. */
  void show(PathAccess access) throws IOException {
    PathDirectory last = access.last();
    List<AccessRule> rules = access.effective().rules();
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeStringField("path", access.path().toString());
      json.writeStringField("directory", last.path().toString());
      json.writeStringField("owner", last.access().owner().orElse(null));
      json.writeStringField("rulesAt", access.rulesAt().toString());
      json.writeBooleanField("inherited", last.access().inherits());
      json.writeArrayFieldStart("rules");
      for (AccessRule rule : rules) {
        json.writeStartObject();
        json.writeStringField("subject", rule.subject());
        rights(json, rule.rights());
        json.writeEndObject();
      }
      json.writeEndArray();
      return;
    }
    last.access().owner().ifPresent(owner -> output.line("owner:      " + owner));
    output.line("rules at:   " + access.rulesAt() + (rules.isEmpty() ? " (none)" : ""));
    rules.forEach(rule -> output.line("            " + rule.text()));
  }

  /** The reasons for the rights of a caller. */
  void why(PathAccess access, String caller, List<Reason> reasons) throws IOException {
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeStringField("path", access.path().toString());
      json.writeStringField("caller", caller);
      json.writeArrayFieldStart("rights");
      for (Reason reason : reasons) {
        json.writeStartObject();
        json.writeStringField("right", reason.right().text());
        json.writeBooleanField("permitted", reason.permitted());
        json.writeStringField("from", reason.from().toString());
        json.writeStringField("why", why(reason));
        json.writeEndObject();
      }
      json.writeEndArray();
      return;
    }
    for (Reason reason : reasons) {
      output.line(
          String.format(
              "%-8s%-5s%s: %s", reason.right().text(), reason.permitted() ? "yes" : "no", reason.from(), why(reason)));
    }
  }

  private static String why(Reason reason) {
    return reason.rule().map(AccessRule::text).orElse(reason.permitted() ? "owner" : "no rule");
  }

  private static void rights(JsonGenerator json, Collection<Right> rights) throws IOException {
    json.writeArrayFieldStart("rights");
    for (Right right : new TreeSet<>(rights)) {
      json.writeString(right.text());
    }
    json.writeEndArray();
  }
}
