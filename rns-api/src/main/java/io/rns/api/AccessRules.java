package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a directory says about access to it: who owns it, and its rules, if it does not inherit those of the directory
 * above. It is the element {@value #ELEMENT} of the namespace {@value #NAMESPACE} in the directory's metadata, at most
 * {@value Limits#ACCESS_BYTES} bytes and {@value Limits#ACCESS_RULES} rules:
 *
 * <pre>{@code
 * <access xmlns="urn:rns:ext:1" owner="local:alice">
 *   <rules><rule subject="group:/cms" rights="list read"/></rules>
 * </access>
 * }</pre>
 *
 * <p>Without {@code rules} the directory inherits; with an empty one it permits nobody anything but its owner and the
 * administrators.
 */
public final class AccessRules {
  /** The namespace of the element. */
  public static final String NAMESPACE = "urn:rns:ext:1";

  /** The name of the element. */
  public static final String ELEMENT = "access";

  /** No owner, and no rules of its own. */
  public static final AccessRules NONE = new AccessRules(Optional.empty(), Optional.empty());

  /** Permits nobody anything. */
  public static final AccessRules CLOSED = new AccessRules(Optional.empty(), Optional.of(List.of()));

  private final Optional<String> owner;
  private final Optional<List<AccessRule>> rules;
  /** The rules of each subject, and those of groups by their names. */
  private final Map<String, AccessRule> bySubject;
  private final Map<String, AccessRule> byGroup;

  /**
   * The access to a directory.
   *
   * @param owner the name of a caller
   * @param rules each of another subject; empty if the directory inherits
   * @throws RnsException {@link RnsError#INVALID_REQUEST}, {@link RnsError#LIMIT_EXCEEDED}
   */
  public AccessRules(Optional<String> owner, Optional<? extends Collection<AccessRule>> rules) {
    this.owner = owner;
    this.rules = rules.map(given -> given.stream().sorted().toList());
    owner.ifPresent(AccessRules::checkOwner);
    Map<String, AccessRule> subjects = new HashMap<>();
    Map<String, AccessRule> groups = new HashMap<>();
    for (AccessRule rule : rules()) {
      if (subjects.put(rule.subject(), rule) != null) {
        throw new RnsException(
            RnsError.INVALID_REQUEST, "there are two access rules of '" + rule.subject() + "' in one directory");
      }
      if (rule.subject().startsWith(AccessRule.GROUP)) {
        groups.put(rule.subject().substring(AccessRule.GROUP.length()), rule);
      }
    }
    Limits.check("the access rules of a directory", subjects.size(), Limits.ACCESS_RULES, "rules");
    this.bySubject = subjects;
    this.byGroup = groups;
  }

  private static void checkOwner(String name) {
    Limits.check(
        "the owner of a directory", name.getBytes(StandardCharsets.UTF_8).length, Limits.ACCESS_SUBJECT_BYTES,
        "bytes");
    if (name.isEmpty() || name.equals(Caller.SERVICE.name())) {
      throw new RnsException(RnsError.INVALID_REQUEST, "'" + name + "' cannot own a directory");
    }
    AccessRule.checkText(name);
  }

  /** Who made the directory, or was given it: has every right there. Empty if that is not known. */
  public Optional<String> owner() {
    return owner;
  }

  /** Whether the rules of the directory above hold. */
  public boolean inherits() {
    return rules.isEmpty();
  }

  /** Its own rules, in the order of their subjects. */
  public List<AccessRule> rules() {
    return rules.orElse(List.of());
  }

  /** Whether there is neither an owner nor a rule. */
  public boolean isNone() {
    return owner.isEmpty() && rules.isEmpty();
  }

  /** The same rules with another owner. */
  public AccessRules withOwner(Optional<String> other) {
    return new AccessRules(other, rules);
  }

  /** The same owner with other rules. */
  public AccessRules withRules(Collection<AccessRule> others) {
    return new AccessRules(owner, Optional.of(others));
  }

  /** The same owner without rules. */
  public AccessRules inheriting() {
    return new AccessRules(owner, Optional.empty());
  }

  /** These rules with one of a subject added, replaced, or removed if none is given. */
  public AccessRules with(String subject, Optional<AccessRule> rule) {
    Map<String, AccessRule> changed = new TreeMap<>(bySubject);
    rule.ifPresentOrElse(given -> changed.put(subject, given), () -> changed.remove(subject));
    return withRules(changed.values());
  }

  /** The first rule, if any, by which a caller has a right here: its own, of its groups, of all. */
  public Optional<AccessRule> granting(Caller caller, Right right) {
    AccessRule rule = find(caller, right);
    return Optional.ofNullable(rule);
  }

  /** Whether a rule grants a caller a right. */
  public boolean grant(Caller caller, Right right) {
    return find(caller, right) != null;
  }

  private @Nullable AccessRule find(Caller caller, Right right) {
    if (bySubject.isEmpty()) {
      return null;
    }
    if (!caller.name().isEmpty()) {
      // No caller is a group by its name.
      AccessRule own =
          caller.name().startsWith(AccessRule.GROUP) ? null : granting(bySubject, caller.name(), right);
      if (own != null) {
        return own;
      }
      AccessRule ofGroup = byGroup.isEmpty() ? null : ofGroups(caller.groups(), right);
      if (ofGroup != null) {
        return ofGroup;
      }
      AccessRule ofAll = granting(bySubject, AccessRule.AUTHENTICATED, right);
      if (ofAll != null) {
        return ofAll;
      }
    }
    return granting(bySubject, AccessRule.ANYONE, right);
  }

  private @Nullable AccessRule ofGroups(Set<String> groups, Right right) {
    for (String group : groups) {
      AccessRule rule = granting(byGroup, group, right);
      if (rule != null) {
        return rule;
      }
    }
    return null;
  }

  private static @Nullable AccessRule granting(Map<String, AccessRule> rules, String key, Right right) {
    AccessRule rule = rules.get(key);
    return rule != null && rule.grants(right) ? rule : null;
  }

  // ---- the element

  /**
   * Reads the element at the position, to its end.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it has anything else
   */
  static AccessRules read(XmlPull pull) {
    Optional<String> owner = Optional.ofNullable(pull.attribute("", "owner"));
    List<AccessRule> rules = null;
    while (pull.nextChild()) {
      if (!pull.is(NAMESPACE, "rules") || rules != null) {
        throw unknown(pull);
      }
      rules = new ArrayList<>();
      while (pull.nextChild()) {
        if (!pull.is(NAMESPACE, "rule")) {
          throw unknown(pull);
        }
        Limits.check("the access rules of a directory", rules.size() + 1L, Limits.ACCESS_RULES, "rules");
        rules.add(rule(pull));
        pull.skip();
      }
    }
    return new AccessRules(owner, Optional.ofNullable(rules));
  }

  private static AccessRule rule(XmlPull pull) {
    String subject = pull.attribute("", "subject");
    String rights = pull.attribute("", "rights");
    if (subject == null || rights == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "an access rule has no subject, or no rights");
    }
    return new AccessRule(subject, AccessRule.rights(rights, "\\s+"));
  }

  private static RnsException unknown(XmlPull pull) {
    return new RnsException(
        RnsError.INVALID_REQUEST, "access rules have no element '" + pull.localName() + "' in this place");
  }

  /**
   * The element, always in the same form.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}
   */
  public String xml() {
    XmlBuffer out = new XmlBuffer(128);
    out.raw("<" + ELEMENT + " xmlns=\"" + NAMESPACE + "\"");
    owner.ifPresent(name -> out.attribute("owner", name));
    if (rules.isEmpty()) {
      out.raw("/>");
    } else {
      out.raw("><rules>");
      for (AccessRule rule : rules()) {
        out.raw("<rule").attribute("subject", rule.subject()).attribute("rights", rule.rightsText(" ")).raw("/>");
      }
      out.raw("</rules></" + ELEMENT + ">");
    }
    String xml = out.toString();
    Limits.check("the access rules of a directory", xml.getBytes(StandardCharsets.UTF_8).length, Limits.ACCESS_BYTES,
        "bytes");
    return xml;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessRules access && owner.equals(access.owner) && rules.equals(access.rules);
  }

  @Override
  public int hashCode() {
    return 31 * owner.hashCode() + rules.hashCode();
  }

  @Override
  public String toString() {
    return xml();
  }
}
