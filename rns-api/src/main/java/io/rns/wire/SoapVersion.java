package io.rns.wire;

/** The two versions of SOAP, which differ in namespace and faults. */
public enum SoapVersion {
  /** SOAP 1.1: {@code text/xml}. */
  V1_1(Namespaces.SOAP_11),
  /** SOAP 1.2: {@code application/soap+xml}. */
  V1_2(Namespaces.SOAP_12);

  private final String namespace;

  SoapVersion(String namespace) {
    this.namespace = namespace;
  }

  /** The namespace of the envelope. */
  public String namespace() {
    return namespace;
  }
}
