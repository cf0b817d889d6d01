/**
 * Replays the questions that a DNS server has logged: over UDP, at their times, in several copies.
 *
 * <p>Entry class: {@link io.rns.loadtest.dns.QuestionReplay}. Traces and reports are immutable; other classes state
 * their thread-safety.
 */
@NullMarked
package io.rns.loadtest.dns;

import org.jspecify.annotations.NullMarked;
