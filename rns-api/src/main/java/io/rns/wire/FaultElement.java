package io.rns.wire;

/** The fault elements of the specifications. */
enum FaultElement {
  RNS_1_0("_r", Namespaces.RNS, "RNSFaultType"), ENTRY_EXISTS("_r", Namespaces.RNS,
      "RNSEntryExistsFaultType"), ENTRY_NOT_DIRECTORY("_r", Namespaces.RNS,
          "RNSEntryNotDirectoryFaultType"), DIRECTORY_NOT_EMPTY("_r", Namespaces.RNS,
              "RNSDirectoryNotEmptyFaultType"), OPERATION_NOT_ALLOWED("_r", Namespaces.RNS,
                  "RNSOperationNotAllowedFaultType"), BASE("_b", Namespaces.WSBF, "BaseFault"), RESOURCE_UNKNOWN("_f",
                      Namespaces.WSRF_R, "ResourceUnknownFault"), RESOURCE_UNAVAILABLE("_f", Namespaces.WSRF_R,
                          "ResourceUnavailableFault"), READ_NOT_PERMITTED("_n", Namespaces.RNS_11,
                              "ReadNotPermittedFault"), WRITE_NOT_PERMITTED("_n", Namespaces.RNS_11,
                                  "WriteNotPermittedFault"), SEARCH("_q", Namespaces.SEARCH,
                                      "SearchFault"), INVALID_PROPERTY("_p", Namespaces.WSRP,
                                          "InvalidResourcePropertyQNameFault"), UNKNOWN_DIALECT("_p", Namespaces.WSRP,
                                              "UnknownQueryExpressionDialectFault"), INVALID_QUERY("_p",
                                                  Namespaces.WSRP, "InvalidQueryExpressionFault"), QUERY_ERROR("_p",
                                                      Namespaces.WSRP,
                                                      "QueryEvaluationErrorFault"), UNABLE_TO_SET_TERMINATION_TIME("_l",
                                                          Namespaces.WSRL,
                                                          "UnableToSetTerminationTimeFault"), TERMINATION_TIME_REJECTED(
                                                              "_l", Namespaces.WSRL,
                                                              "TerminationTimeChangeRejectedFault"), NOT_DESTROYED("_l",
                                                                  Namespaces.WSRL,
                                                                  "ResourceNotDestroyedFault"), RESOLVE_FAILED("_w",
                                                                      Namespaces.NAMING, "ResolveFailedFault");

  private final String namespace;
  private final String qualified;
  private final String declaration;

  FaultElement(String prefix, String namespace, String localName) {
    this.namespace = namespace;
    this.qualified = prefix + ":" + localName;
    this.declaration = " xmlns:" + prefix + "=\"" + namespace + "\"";
  }

  String namespace() {
    return namespace;
  }

  /** The prefixed name. */
  String qualified() {
    return qualified;
  }

  /** The declaration of its prefix; empty for prefixes that every fault declares. */
  String declaration() {
    boolean declared = namespace.equals(Namespaces.RNS) || namespace.equals(Namespaces.WSBF);
    return declared ? "" : declaration;
  }
}
