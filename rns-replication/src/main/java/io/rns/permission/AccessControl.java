package io.rns.permission;

import io.rns.api.AccessRule;
import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.error.RnsError;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the callers of a server may do.
 *
 * <p>In the mode {@code open} only the limits of a caller's credential hold, in {@code log} what {@code closed} would
 * refuse is logged and counted. Administrators and the service itself need no rules.
 */
public final class AccessControl {
  private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

  /** Different refusals of which a line is logged once; after that the first are forgotten. */
  private static final int REMEMBERED = 10_000;

  private final AccessPolicy policy;
  private final boolean hiding;
  private final InheritedAccess inherited;
  private final LongAdder refused = new LongAdder();
  private final Map<String, Boolean> logged = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > REMEMBERED;
    }
  };

  /**
   * The control of a server.
   *
   * @param hiding whether what a caller may not see is answered as missing
   */
  public AccessControl(AccessPolicy policy, boolean hiding) {
    this.policy = policy;
    this.hiding = hiding;
    this.inherited = new InheritedAccess();
  }

  /** Everybody may do everything. */
  public static AccessControl open() {
    return new AccessControl(AccessPolicy.OPEN, false);
  }

  /** What holds above this group's part of the tree. */
  public InheritedAccess inherited() {
    return inherited;
  }

  /** How closed the server is, and who administers it. */
  public AccessPolicy policy() {
    return policy;
  }

  /** What a caller may do. */
  public CallerRights of(Caller caller) {
    boolean everything = policy.mode() == AccessMode.OPEN || policy.isAdministrator(caller);
    if (everything && caller.limits().isEmpty()) {
      AccessDecisions decisions = AccessDecisions.current();
      if (decisions != null && !caller.equals(Caller.SERVICE)) {
        decisions.add(AccessDecisions.Decision.by(everythingBy(caller)));
      }
      return CallerRights.ALL;
    }
    return new CallerRights(this, caller, everything);
  }

  /** Why a caller may do everything who may. */
  String everythingBy(Caller caller) {
    return policy.isAdministrator(caller) ? AccessDecisions.ADMINISTRATOR : AccessDecisions.OPEN;
  }

  /** Whether what a caller may not see is answered as missing. */
  boolean isHiding() {
    return hiding;
  }

  /**
   * Takes down that a caller lacks a right.
   *
   * @param where the path, for the log
   * @return whether the caller may go on all the same
   */
  boolean lacks(Caller caller, Right right, Supplier<String> where) {
    refused.increment();
    if (policy.mode() != AccessMode.LOG) {
      return false;
    }
    String line = "'" + name(caller) + "' lacks the right '" + right.text() + "' in " + where.get();
    boolean isNew;
    synchronized (logged) {
      isNew = logged.put(line, true) == null;
    }
    if (isNew) {
      LOG.info("not permitted if RNS_ACCESS were closed: {}", line);
    }
    return true;
  }

  /** Takes down that the limits of a caller's credential do not leave it a right. They hold in every mode. */
  void exceedsLimits() {
    refused.increment();
  }

  private static String name(Caller caller) {
    return caller.name().isEmpty() ? AccessRule.ANYONE : caller.name();
  }

  /** What a refusal is: a caller without a credential may have the right with one. */
  static RnsError error(Caller caller) {
    return caller.name().isEmpty() ? RnsError.NOT_AUTHENTICATED : RnsError.NOT_PERMITTED;
  }

  static String message(Caller caller, Right right, String path) {
    String who = caller.name().isEmpty() ? "the anonymous caller" : "'" + caller.name() + "'";
    // Its name alone may have the right, which would be puzzling.
    return "not permitted: " + who + (caller.limits().isEmpty() ? "" : ", limited by its credential,")
        + " lacks the right '" + right.text() + "' in '" + path + "'";
  }

  /** Numbers for operators. */
  public Map<String, Number> statistics() {
    Map<String, Number> numbers = new TreeMap<>();
    if (policy.mode() != AccessMode.OPEN) {
      numbers.put(policy.mode() == AccessMode.LOG ? "access.wouldRefuse" : "access.refused", refused.sum());
    }
    return numbers;
  }
}
