import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.soap.SOAPFaultException;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.net.URI;
import java.util.List;
import javax.xml.namespace.QName;
import org.ggf.schemas.rns._2006._05.rns.Query;
import org.ggf.schemas.rns._2006._05.rns.RNS10PortType;
import org.ggf.schemas.rns._2006._05.rns.RNSFault;
import org.ogf.schemas.rns._2009._12.rns.AddRequestType;
import org.ogf.schemas.rns._2009._12.rns.LookupRequestType;
import org.ogf.schemas.rns._2009._12.rns.ObjectFactory;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryDoesNotExistFaultType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryExistsFaultType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryResponseType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryType;
import org.ogf.schemas.rns._2009._12.rns.RNSPortType;
import org.ogf.schemas.rns._2009._12.rns.RemoveRequestType;
import rns.service._1.RNSService;

/** A client of Apache CXF, made by wsdl2java of what ?wsdl gives. Its argument is the URL of the service. */
public final class CxfClient {
  private static final String ELSEWHERE = "http://elsewhere.example/f";

  private final String url;
  private final RNSService service;

  private CxfClient(String url) throws Exception {
    this.url = url;
    this.service = new RNSService(URI.create(url + "?wsdl").toURL());
  }

  public static void main(String[] arguments) throws Exception {
    CxfClient client = new CxfClient(arguments[0]);
    client.rns11();
    client.rns10();
    System.out.println("all checks passed");
    // Threads of the transport would keep the process for a while.
    System.exit(0);
  }

  /** The target of a call may stand in the URL. */
  private <T> T at(String path, T port) {
    ((BindingProvider) port).getRequestContext().put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, url + path);
    return port;
  }

  private static RNSEntryType entry(String name, W3CEndpointReference reference) {
    RNSEntryType entry = new RNSEntryType();
    entry.setEntryName(name);
    if (reference != null) {
      entry.setEndpoint(new ObjectFactory().createRNSEntryTypeEndpoint(reference));
    }
    return entry;
  }

  private static List<RNSEntryResponseType> add(RNSPortType port, RNSEntryType... entries) throws Exception {
    AddRequestType request = new AddRequestType();
    request.getEntry().addAll(List.of(entries));
    return port.add(request).getEntryResponse();
  }

  private static List<RNSEntryResponseType> lookup(RNSPortType port, String... names) throws Exception {
    LookupRequestType request = new LookupRequestType();
    request.getEntryName().addAll(List.of(names));
    return port.lookup(request).getEntryResponse();
  }

  private void rns11() throws Exception {
    is("fault", add(service.getRNS11Port(), entry("cxf", null)).get(0).getFault(), null);
    RNSPortType inside = at("/cxf", service.getRNS11Port());
    W3CEndpointReference elsewhere = new W3CEndpointReferenceBuilder().address(ELSEWHERE).build();
    List<RNSEntryResponseType> added = add(inside, entry("a", elsewhere), entry("a", elsewhere));
    is("reference", added.get(0).getEndpoint().toString().contains(ELSEWHERE), true);
    is("exists", ((RNSEntryExistsFaultType) added.get(1).getFault()).getEntryName(), "a");
    List<RNSEntryResponseType> found = lookup(inside, "a", "none");
    is("found", found.get(0).getFault(), null);
    is("none", ((RNSEntryDoesNotExistFaultType) found.get(1).getFault()).getEntryName(), "none");
    is("listed", lookup(inside).size(), 1);
    RemoveRequestType gone = new RemoveRequestType();
    gone.getEntryName().add("a");
    is("removed", inside.remove(gone).getEntryResponse().get(0).getFault(), null);
    try {
      lookup(at("/cxf/none", service.getRNS11Port()));
      throw new AssertionError("a directory that is not there is listed");
    } catch (SOAPFaultException e) {
      is("faultcode", e.getFault().getFaultCodeAsQName(), new QName("http://schemas.xmlsoap.org/soap/envelope/", "Client"));
      is("detail", e.getFault().getDetail().getFirstChild().getLocalName(), "ResourceUnknownFault");
    }
  }

  private void rns10() throws Exception {
    RNS10PortType root = service.getRNS10Port();
    Query query = new Query();
    query.setEntryPattern("/cxf/none");
    try {
      root.query(query);
      throw new AssertionError("an entry that is not there is found");
    } catch (RNSFault e) {
      is("code", e.getFaultInfo().getErrorCode().getContent(), List.of("NO_SUCH_ENTRY"));
    }
  }

  private static void is(String what, Object actual, Object expected) {
    if (expected == null ? actual != null : !expected.equals(actual)) {
      throw new AssertionError(what + ": expected " + expected + " but was " + actual);
    }
  }
}
