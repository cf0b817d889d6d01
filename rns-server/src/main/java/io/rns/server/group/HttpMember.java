package io.rns.server.group;

import io.rns.replication.member.LocalMember;
import com.fasterxml.jackson.databind.JsonNode;
import io.rns.client.operator.SignedCalls;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Term;
import io.rns.server.operator.ServerCalls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Another server of the group, over HTTP. Thread-safe. */
final class HttpMember implements GroupMember {
  private static final Duration LOOK = Duration.ofSeconds(1);
  /** Longer than {@link LocalMember#checkReaches} tries to connect. */
  private static final Duration REACH = Duration.ofSeconds(5);
  /** Longer than a member waits for what it is about to do. */
  private static final Duration PROMISE = Duration.ofSeconds(3);
  private static final Duration STEP_DOWN = Duration.ofSeconds(5);
  private static final Duration STEP = Duration.ofSeconds(15);
  /** Longer than a commit waits for a replica. */
  private static final Duration CHANGE = Duration.ofSeconds(30);
  private static final Duration LEAD = Duration.ofSeconds(60);

  private final ServerCalls calls;
  private final String url;
  private final String asker;

  /**
   * A member that can be asked.
   *
   * @param asker the address of the member that asks
   */
  HttpMember(SignedCalls calls, String url, String asker) {
    this.calls = new ServerCalls(calls);
    this.url = url;
    this.asker = asker;
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public MemberReport report() {
    return ask("GET", "member?from=" + encoded(asker), LOOK, ReportJson.class).report();
  }

  @Override
  public MemberReport promise(Term term) {
    return ask("POST", "promise?" + of(term), PROMISE, ReportJson.class).report();
  }

  @Override
  public MemberReport stepDown(Term term) {
    return ask("POST", "step-down?" + of(term), STEP_DOWN, ReportJson.class).report();
  }

  @Override
  public MemberReport stopReceiving(Term term) {
    return ask("POST", "stop-receiving?" + of(term), STEP, ReportJson.class).report();
  }

  @Override
  public boolean contains(String transactions) {
    String what = "contains?transactions=" + encoded(transactions);
    return ask("GET", what, LOOK.multipliedBy(3), ContainsJson.class).contains();
  }

  @Override
  public void checkReaches(String source) {
    JsonNode unused = ask("GET", "reaches?source=" + encoded(source), REACH, JsonNode.class);
  }

  @Override
  public void follow(String source, String primary, int leading, Term term) {
    String what =
        "follow?source=" + encoded(source) + "&primary=" + encoded(primary) + "&leading=" + leading + "&" + of(term);
    JsonNode unused = ask("POST", what, STEP, JsonNode.class);
  }

  @Override
  public MemberReport lead(Term term, PromotionTerms beginning) {
    String how =
        "?" + of(term) + "&after=" + beginning.after() + "&first=" + beginning.first() + "&alone=" + beginning.alone()
            + "&others-empty=" + beginning.othersEmpty() + "&ended=" + beginning.ended()
            + (beginning.members().isEmpty() ? "" : "&members=" + encoded(String.join(" ", beginning.members())))
            + (beginning.inForce().isEmpty() ? "" : "&in-force=" + encoded(beginning.inForce()));
    return ask("POST", "lead" + how, LEAD, ReportJson.class).report();
  }

  /** Has this server, the primary, add a member. */
  MemberList addMember(String member) {
    return ask("POST", "add-member?here=true&url=" + encoded(member), CHANGE, MemberList.class);
  }

  /** Has this server, the primary, remove a member. */
  MemberList forgetMember(String member, boolean stopped) {
    String what = "forget-member?here=true&stopped=" + stopped + "&url=" + encoded(member);
    return ask("POST", what, CHANGE, MemberList.class);
  }

  private static String of(Term term) {
    return "term=" + term.number() + "&proposer=" + encoded(term.proposer());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private <T> T ask(String method, String what, Duration most, Class<T> answered) {
    return calls.ask(method, url, "/group/" + what, "", most, answered);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HttpMember member && member.url.equals(url);
  }

  @Override
  public int hashCode() {
    return url.hashCode();
  }
}
