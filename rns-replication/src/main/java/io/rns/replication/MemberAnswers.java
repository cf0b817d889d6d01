package io.rns.replication;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The members' answers, and the errors of members that did not answer.
 *
 * @param reports the answers, in the order of the calls
 * @param silent the members without an answer, with the reason
 */
record MemberAnswers(Map<GroupMember, MemberReport> reports, Map<GroupMember, RnsException> silent) {
  /** Calls all members concurrently. */
  static MemberAnswers of(List<GroupMember> asked, Function<GroupMember, MemberReport> question, Timing timing) {
    Map<GroupMember, MemberReport> reports = new ConcurrentHashMap<>();
    Map<GroupMember, RnsException> silent = new ConcurrentHashMap<>();
    timing.runAll(
        asked.stream()
            .<Runnable>map(member -> () -> {
              try {
                reports.put(member, question.apply(member));
              } catch (RnsException e) {
                silent.put(member, e);
              } catch (RuntimeException e) {
                silent.put(member, new RnsException(RnsError.INTERNAL, "the question failed: " + e, e));
              }
            })
            .toList());
    return new MemberAnswers(inOrder(asked, reports), inOrder(asked, silent));
  }

  /** Members without an answer, each with the reason. */
  static String named(Map<GroupMember, RnsException> silent) {
    return silent.entrySet().stream()
        .map(each -> each.getKey().url() + " (" + each.getValue().getMessage() + ")")
        .collect(Collectors.joining(", "));
  }

  private static <T> Map<GroupMember, T> inOrder(List<GroupMember> asked, Map<GroupMember, T> answers) {
    Map<GroupMember, T> ordered = new LinkedHashMap<>();
    for (GroupMember member : asked) {
      T answer = answers.get(member);
      if (answer != null) {
        ordered.put(member, answer);
      }
    }
    return ordered;
  }
}
