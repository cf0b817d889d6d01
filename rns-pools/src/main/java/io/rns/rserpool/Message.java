package io.rns.rserpool;

/** A message of either protocol; the same numbers mean others in each. */
public sealed interface Message permits AsapMessage, EnrpMessage {}
