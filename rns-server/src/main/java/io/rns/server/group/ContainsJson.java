package io.rns.server.group;

/**
 * The answer to {@code /group/contains}.
 *
 * @param contains whether the member's database has all of the transactions
 */
record ContainsJson(boolean contains) {}
