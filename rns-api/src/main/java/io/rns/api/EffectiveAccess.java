package io.rns.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What holds in a directory: the rules of the closest directory at or above it that has rules, all of them and no
 * others, and every right for the owners of the directories from that one down to this one.
 *
 * <p>An owner further up has no right here: those in between could not have given it to him, as rules between replace
 * what he may set above. Immutable.
 */
public final class EffectiveAccess {
  /** Above the root: nobody may do anything. */
  public static final EffectiveAccess NONE = new EffectiveAccess(AccessRules.CLOSED, EntryId.ROOT, List.of());

  private final AccessRules rules;
  private final EntryId rulesAt;
  private final List<Ownership> owners;

  private EffectiveAccess(AccessRules rules, EntryId rulesAt, List<Ownership> owners) {
    this.rules = rules;
    this.rulesAt = rulesAt;
    this.owners = owners;
  }

  private record Ownership(String owner, EntryId directory) {}

  /**
   * Why a caller has a right.
   *
   * @param directory where that is said
   * @param rule the rule; empty if it is because the caller owns the directory
   */
  public record Grant(EntryId directory, Optional<AccessRule> rule) {}

  /** What holds in a directory of this one; the same object where the directory says nothing new. */
  public EffectiveAccess enter(EntryId directory, AccessRules own) {
    if (own.isNone()) {
      return this;
    }
    if (!own.inherits()) {
      return new EffectiveAccess(
          own, directory, own.owner().map(owner -> List.of(new Ownership(owner, directory))).orElse(List.of()));
    }
    String owner = own.owner().orElseThrow();
    if (isOwner(owner)) {
      return this;
    }
    List<Ownership> more = new ArrayList<>(owners);
    more.add(new Ownership(owner, directory));
    return new EffectiveAccess(rules, rulesAt, List.copyOf(more));
  }

  private boolean isOwner(String name) {
    for (Ownership each : owners) {
      if (each.owner().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a caller has a right here by a rule or as an owner. */
  public boolean grants(Caller caller, Right right) {
    return rules.grant(caller, right) || (!caller.name().isEmpty() && isOwner(caller.name()));
  }

  /** Why that is so; empty if it is not. */
  public Optional<Grant> granting(Caller caller, Right right) {
    return rules.granting(caller, right).map(rule -> new Grant(rulesAt, Optional.of(rule)))
        .or(
            () -> owners.stream().filter(each -> !caller.name().isEmpty() && each.owner().equals(caller.name()))
                .findFirst().map(each -> new Grant(each.directory(), Optional.empty())));
  }

  /** The rules that hold. */
  public List<AccessRule> rules() {
    return rules.rules();
  }

  /** The directory that has these rules; the root if no directory has any. */
  public EntryId rulesAt() {
    return rulesAt;
  }

  /** Whether nobody has a right here that he has not there: what moves from there to here is open to nobody more. */
  public boolean isNoWiderThan(EffectiveAccess there) {
    return rulesAt.equals(there.rulesAt) && rules.equals(there.rules)
        && owners.stream().allMatch(each -> there.isOwner(each.owner()));
  }
}
