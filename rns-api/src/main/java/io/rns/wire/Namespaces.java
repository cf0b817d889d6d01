package io.rns.wire;

import io.rns.api.EndpointReference;

/** The XML namespaces of the messages. */
public final class Namespaces {
  /** RNS 1.0, messages and faults. The one place that changes if the published document names another. */
  public static final String RNS = "http://schemas.ggf.org/rns/2006/05/rns";

  /** Our extensions: optional headers, attributes, batches and the extended answer; also the dialect of error codes. */
  public static final String EXT = "urn:rns:ext:1";

  /** WS-Addressing 1.0. */
  public static final String WSA = EndpointReference.WSA;

  /** WSRF base faults. */
  public static final String WSBF = "http://docs.oasis-open.org/wsrf/bf-2";

  /** WSRF resource faults. */
  public static final String WSRF_R = "http://docs.oasis-open.org/wsrf/r-2";

  /** The SOAP 1.1 envelope. */
  public static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";

  /** The SOAP 1.2 envelope. */
  public static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";

  private Namespaces() {}
}
