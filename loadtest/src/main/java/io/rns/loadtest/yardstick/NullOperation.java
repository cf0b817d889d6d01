package io.rns.loadtest.yardstick;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;

/** A JAX-WS operation that does nothing, document/literal: one string in, one out. */
@WebService(name = "Null", serviceName = "null", portName = "NullPort", targetNamespace = NullOperation.NAMESPACE)
public class NullOperation {
  public static final String NAMESPACE = "urn:rns:yardstick";

  @WebMethod
  @WebResult(name = "text", targetNamespace = NAMESPACE)
  public String nothing(@WebParam(name = "text", targetNamespace = NAMESPACE) String text) {
    return text;
  }
}
