package io.rns.referral;

/**
 * A server that might be asked.
 *
 * @param server what it tells, or another tells of it
 * @param told whether a server has told that; otherwise only its address is known
 * @param experience what the client has seen of it
 */
public record Candidate(Announcement server, boolean told, Experience experience) {}
