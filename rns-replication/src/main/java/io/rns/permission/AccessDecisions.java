package io.rns.permission;

import io.rns.api.AccessRule;
import io.rns.api.Caller;
import io.rns.api.EffectiveAccess;
import io.rns.api.EffectiveAccess.Grant;
import io.rns.api.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What decided that a caller may do what it asks for, or may not: collected while a request is worked at by a thread
 * that is bound to it, if that is wanted at all. Safe for use by many threads.
 */
public final class AccessDecisions {
  /** How many different ones are kept of a request: the first. */
  public static final int MOST = 8;

  /** Everybody may do everything. */
  public static final String OPEN = "open";
  /** The caller is an administrator by the settings. */
  public static final String ADMINISTRATOR = "administrator";
  /** The caller owns the directory. */
  public static final String OWNER = "owner";
  /** No rule grants it. */
  public static final String NONE = "none";
  /** A rule grants it, but not the limits of the credential. */
  public static final String LIMITS = "limits";
  /** No rule grants it, which is logged only. */
  public static final String LOGGED = "log";
  /** The request is signed with the secret of the operators. */
  public static final String SECRET = "secret";

  private static final ThreadLocal<AccessDecisions> CURRENT = new ThreadLocal<>();

  private final List<Decision> decisions = new ArrayList<>();
  private boolean isRefused;

  /**
   * A decision.
   *
   * @param by a constant, or the subject of a rule
   * @param right that is needed; empty if none in particular
   * @param in where it is needed: a path; empty if nowhere in particular
   * @param of identity of the directory whose rules or owner decided; empty if none did
   */
  public record Decision(String by, String right, String in, String of) {
    /** One that concerns no directory. */
    public static Decision by(String what) {
      return new Decision(what, "", "", "");
    }
  }

  /** Those of the request that this thread works at; null if they are of no interest. */
  public static @Nullable AccessDecisions current() {
    return CURRENT.get();
  }

  /** Says of which request the decisions of this thread are; null for none. */
  public static void bind(@Nullable AccessDecisions request) {
    if (request == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(request);
    }
  }

  /** Does something for another request than this thread works at; what was decided for it before is forgotten. */
  public static <T> T during(@Nullable AccessDecisions request, Supplier<T> work) {
    if (request == null) {
      return work.get();
    }
    request.clear();
    CURRENT.set(request);
    try {
      return work.get();
    } finally {
      CURRENT.remove();
    }
  }

  private synchronized void clear() {
    decisions.clear();
    isRefused = false;
  }

  /** Adds a decision, unless there are enough, or that the same was decided by the same. */
  public synchronized void add(Decision decision) {
    for (Decision known : decisions) {
      if (known.by().equals(decision.by()) && known.right().equals(decision.right())
          && known.of().equals(decision.of())) {
        return;
      }
    }
    if (decisions.size() < MOST) {
      decisions.add(decision);
    }
  }

  /** Adds that a right is granted by what holds in a directory. */
  void addGrant(Caller caller, Right right, EffectiveAccess at, String where) {
    Optional<Grant> grant = at.granting(caller, right);
    add(
        new Decision(
            grant.map(found -> found.rule().map(AccessRule::subject).orElse(OWNER)).orElse(LOGGED), right.text(),
            where, grant.map(found -> found.directory().toString()).orElse("")));
  }

  /** Adds that a right is missing: replaces what was granted before, which is of no use. */
  synchronized void addRefusal(Decision decision) {
    if (!isRefused) {
      decisions.clear();
      isRefused = true;
    }
    add(decision);
  }

  /** All, in their order. */
  public synchronized List<Decision> all() {
    return List.copyOf(decisions);
  }

  /** Whether the caller lacked a right. */
  public synchronized boolean isRefused() {
    return isRefused;
  }
}
