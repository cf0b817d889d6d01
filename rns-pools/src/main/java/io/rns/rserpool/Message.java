package io.rns.rserpool;

/** A message of either protocol. Type numbers are per protocol. */
public sealed interface Message permits AsapMessage, EnrpMessage {}
