package io.rns.server.soap;

import com.sun.xml.ws.api.message.Message;
import io.rns.wire.Namespaces;
import io.rns.wire.SoapVersion;
import jakarta.annotation.Resource;
import jakarta.xml.ws.BindingType;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.WebServiceProvider;
import jakarta.xml.ws.soap.SOAPBinding;

/** The JAX-WS endpoint for SOAP 1.2. */
@WebServiceProvider(targetNamespace = Namespaces.EXT, serviceName = "RNSService", portName = "RNSSoap12Port")
@ServiceMode(Service.Mode.MESSAGE)
@BindingType(SOAPBinding.SOAP12HTTP_BINDING)
public class RnsSoap12Provider implements Provider<Message> {
  private static final MessageEntrance ENTRANCE = new MessageEntrance(SoapVersion.V1_2);

  @Resource private WebServiceContext context;

  /** For JAX-WS, which injects the context. */
  public RnsSoap12Provider() {}

  @Override
  public Message invoke(Message request) {
    return ENTRANCE.invoke(request, context);
  }
}
