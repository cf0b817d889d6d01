package io.rns.client.pool;

/**
 * What a {@link PoolUser} has done since it was made, over all its pools and sessions.
 *
 * @param calls how many calls have begun
 * @param resolutions how often a server was asked for elements, answered or not
 * @param failovers how often a call went on to another element, or to the same one in a later round
 * @param rejections how many requests elements rejected
 * @param failures how many requests elements did not answer
 */
public record PoolFigures(long calls, long resolutions, long failovers, long rejections, long failures) {}
