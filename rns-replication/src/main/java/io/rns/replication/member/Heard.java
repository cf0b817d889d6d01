package io.rns.replication.member;

import io.rns.replication.MemberReport;

/**
 * What another member last answered.
 *
 * @param askedNanos when it was asked, by {@link io.rns.replication.Timing#nanoTime}
 */
public record Heard(MemberReport report, long askedNanos) {}
