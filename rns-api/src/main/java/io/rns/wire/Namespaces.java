package io.rns.wire;

import io.rns.api.EndpointReference;

/** The XML namespaces of the messages. */
public final class Namespaces {
  /** RNS 1.0, messages and faults. The only place to change if the published document uses another namespace. */
  public static final String RNS = "http://schemas.ggf.org/rns/2006/05/rns";

  /** RNS 1.1, messages and faults. */
  public static final String RNS_11 = "http://schemas.ogf.org/rns/2009/12/rns";

  /**
   * Our extensions: optional headers, attributes, batches and the extended response; also the dialect of error codes.
   */
  public static final String EXT = "urn:rns:ext:1";

  /** WS-Addressing 1.0. */
  public static final String WSA = EndpointReference.WSA;

  /** WSRF base faults. */
  public static final String WSBF = "http://docs.oasis-open.org/wsrf/bf-2";

  /** WSRF resource faults. */
  public static final String WSRF_R = "http://docs.oasis-open.org/wsrf/r-2";

  /** WSRF resource properties. */
  public static final String WSRP = "http://docs.oasis-open.org/wsrf/rp-2";

  /** WSRF resource lifetime. */
  public static final String WSRL = "http://docs.oasis-open.org/wsrf/rl-2";

  /** WS-Iterator. */
  public static final String ITERATOR = "http://schemas.ogf.org/ws-iterator/2008/06/iterator";

  /** The draft for searches by metadata. */
  public static final String SEARCH = "http://schemas.ogf.org/rns/2010/11/metadata-search";

  /** WS-Naming, the published namespace. */
  public static final String NAMING = "http://schemas.ogf.org/naming/2006/08/naming";

  /** WS-Naming, the namespace of a draft that clients still read. */
  public static final String OLD_NAMING = "http://schemas.ggf.org/naming/2006/03/naming";

  /** WS-Naming, the messages that its WSDL declares. */
  public static final String NAMING_WSDL = "http://schemas.ogf.org/naming/2006/08/naming/wsdl";

  /** The reference parameters of the RENKEI service. */
  public static final String RENKEI = "http://naregi.org/rns/2010/10/rns";

  /** The SOAP 1.1 envelope. */
  public static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";

  /** The SOAP 1.2 envelope. */
  public static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";

  private Namespaces() {}
}
