package io.rns.server.names;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.AccessRule;
import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.client.PathAccess;
import io.rns.server.http.JsonReplies;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What holds at a path, as JSON.
 *
 * @param directory the closest directory at or above it
 * @param owner of that directory
 * @param rulesAt the directory whose rules hold
 * @param inherited whether that is another one
 * @param caller whose rights these are; {@code anyone} for callers without a credential
 */
record AccessJson(
    RnsPath path,
    RnsPath directory,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> owner,
    RnsPath rulesAt,
    boolean inherited,
    List<RuleJson> rules,
    String caller,
    List<RightJson> rights) {
  /** A rule. */
  record RuleJson(String subject, List<String> rights) {}

  /**
   * A right.
   *
   * @param from the directory that decides
   * @param why the rule that grants it, {@code owner} or {@code no rule}
   */
  record RightJson(String right, boolean permitted, RnsPath from, String why) {}

  static JsonReplies.Document of(PathAccess access, Caller caller) {
    AccessJson json =
        new AccessJson(
            access.path(), access.last().path(), access.last().access().owner(), access.rulesAt(),
            access.last().access().inherits(), access.effective().rules().stream().map(AccessJson::rule).toList(),
            caller.name().isEmpty() ? AccessRule.ANYONE : caller.name(),
            access.reasons(caller).stream().map(AccessJson::right).toList());
    return out -> out.writePOJO(json);
  }

  private static RuleJson rule(AccessRule rule) {
    return new RuleJson(rule.subject(), new TreeSet<>(rule.rights()).stream().map(Right::text).toList());
  }

  private static RightJson right(PathAccess.Reason reason) {
    String why = reason.rule().map(AccessRule::text).orElse(reason.permitted() ? "owner" : "no rule");
    return new RightJson(reason.right().text(), reason.permitted(), reason.from(), why);
  }
}
