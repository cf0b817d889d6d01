package io.rns.client;

import io.rns.api.CallContext;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.referral.Choice;
import java.util.List;
import java.util.function.Supplier;

/** Says which server a call goes to. Safe for use by many threads. */
interface Choosing {
  /** The servers of the client. */
  Servers servers();

  /**
   * The narrowest part of the tree, of the reported parts, that a place is in; the root unless there are several.
   *
   * @param place asked only if there are
   */
  RnsPath part(Supplier<Subject.Place> place);

  /** The reported parts of the tree, the root first; empty if there is no choice. */
  List<RnsPath> parts();

  /** How many servers may be asked for a part, so that each gets its share of the time; 1 or more. */
  int size(RnsPath part);

  /**
   * A server for a call.
   *
   * @param part of the tree that the call is in
   * @param atPrimary whether only the primary can answer
   * @param places how many servers are passed over, since they found no primary
   */
  Turn next(CallContext call, RnsPath part, boolean atPrimary, int places);

  /** Why a call goes to a server, in a few words for people. */
  String reason(CallContext call, RnsPath part, boolean atPrimary, Server server);

  /**
   * Asks a server, and remembers what later choices need to know of it.
   *
   * @param atPrimary whether only the primary can answer
   * @param question asks it
   */
  <A> A ask(Server server, boolean atPrimary, Supplier<A> question);

  /** A server that failed. */
  void failed(Server server, RnsException why);

  /** A server found that it is not the one to answer. */
  void misled();

  /**
   * A call has been answered.
   *
   * @param part whose servers were asked
   * @param group which has what the call is about: the servers asked pass it on there
   */
  void answered(RnsPath part, int group);

  /**
   * Whether a server that answered what only the primary can will be chosen again for that, or found, so that nobody
   * has to remember it.
   *
   * @param referred whether a referral led there
   */
  boolean finds(Server server, boolean referred);

  /**
   * The servers in the order in which a call about the content of a directory would go to them, with the reasons; empty
   * if there is no choice.
   */
  List<Choice> choices(RnsPath directory, boolean atPrimary);

  /** Discards the servers' reports and all measurements, and queries all known servers at once. */
  void refresh();

  /**
   * Whom to ask.
   *
   * @param trial whether it failed last time, and others are there: it gets little time
   */
  record Turn(Server server, boolean trial) {}
}
