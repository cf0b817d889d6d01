package io.rns.server.group;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Term;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A server of this JVM as others see it over HTTP: who asks waits for a second at most, and nobody listens at the
 * address of one that has ended.
 */
record DistantMember(TestGroup.Server server, Executor threads) implements GroupMember {
  private static final long LOOK_SECONDS = 1;

  private GroupMember member() {
    if (server.hasEnded()) {
      throw new RnsException(RnsError.UNAVAILABLE, url() + " has ended", new ConnectException("connection refused"));
    }
    return server.member;
  }

  private <T> T soon(Function<GroupMember, T> question) {
    GroupMember asked = member();
    try {
      return CompletableFuture.supplyAsync(() -> question.apply(asked), threads)
          .orTimeout(LOOK_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RnsException reason) {
        throw reason;
      }
      throw new RnsException(RnsError.UNAVAILABLE, url() + " does not answer", e);
    }
  }

  @Override
  public String url() {
    return server.member.url();
  }

  @Override
  public MemberReport report() {
    return soon(GroupMember::report);
  }

  @Override
  public MemberReport promise(Term term) {
    return soon(member -> member.promise(term));
  }

  @Override
  public MemberReport stepDown(Term term) {
    return member().stepDown(term);
  }

  @Override
  public MemberReport stopReceiving(Term term) {
    return member().stopReceiving(term);
  }

  @Override
  public boolean contains(String transactions) {
    return soon(member -> member.contains(transactions));
  }

  @Override
  public void checkReaches(String source) {
    member().checkReaches(source);
  }

  @Override
  public void follow(String source, String primary, int leading, Term term) {
    member().follow(source, primary, leading, term);
  }

  @Override
  public MemberReport lead(Term term, PromotionTerms terms) {
    return member().lead(term, terms);
  }
}
