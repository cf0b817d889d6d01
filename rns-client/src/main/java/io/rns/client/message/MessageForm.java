package io.rns.client.message;

/** Which of the messages that say the same our client sends to a server of ours. */
public enum MessageForm {
  /** Those of RNS 1.0, and a batch of our extensions for several items. */
  RNS_1_0,
  /** Those of RNS 1.1 for what they can say, which is about entries of one directory, else those of RNS 1.0. */
  RNS_1_1,
  /**
   * Those of RNS 1.0 for what changes nothing, and for every write a batch of our extensions, which no other server
   * takes for anything else: for a server of which nothing is known yet.
   */
  UNMISTAKABLE
}
