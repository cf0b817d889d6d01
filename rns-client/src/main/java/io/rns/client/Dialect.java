package io.rns.client;

/** Which version of the Resource Namespace Service a client speaks. */
public enum Dialect {
  /** RNS 1.0 with our extensions, to servers of ours. */
  RNS_1_0,
  /**
   * RNS 1.1, with our extensions where the server knows them; of others nothing is asked that the standards do not
   * have. The answers of a server of ours are the same as in {@link #RNS_1_0}.
   */
  RNS_1_1,
  /**
   * RNS 1.1 and its companions WSRF, WS-Naming and WS-Iterator, as any server of them understands; never an extension.
   */
  RNS_1_1_PLAIN
}
