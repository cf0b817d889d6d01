package io.rns.replication;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * The members' answers, and the errors of members that did not answer.
 *
 * @param reports the answers, in the order of the calls
 * @param silent the members without an answer, with the reason
 */
record MemberAnswers(Map<GroupMember, MemberReport> reports, Map<GroupMember, RnsException> silent) {
  /** Calls all members concurrently. */
  static MemberAnswers of(List<GroupMember> asked, Function<GroupMember, MemberReport> question) {
    Map<GroupMember, Future<MemberReport>> running = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      asked.forEach(member -> running.put(member, threads.submit(() -> question.apply(member))));
    }
    MemberAnswers answers = new MemberAnswers(new LinkedHashMap<>(), new LinkedHashMap<>());
    running.forEach(
        (member, report) -> {
          try {
            answers.reports().put(member, report.get());
          } catch (ExecutionException e) {
            if (!(e.getCause() instanceof RnsException reason)) {
              throw new IllegalStateException(e.getCause());
            }
            answers.silent().put(member, reason);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answers.silent().put(member,
                new RnsException(RnsError.UNAVAILABLE, "interrupted while waiting for its answer", e));
          }
        });
    return answers;
  }
}
