import _1.service.rns.RNSServiceLocator;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import javax.xml.namespace.QName;
import org.apache.axis.AxisFault;
import org.apache.axis.client.Stub;
import org.apache.axis.message.MessageElement;
import org.apache.axis.message.SOAPHeaderElement;
import org.apache.axis.message.Text;
import org.apache.axis.types.Duration;
import org.apache.axis.types.URI;
import org.apache.axis.types.UnsignedInt;
import org.apache.axis.types.UnsignedLong;
import org.ggf.schemas.rns._2006._05.rns.Add;
import org.ggf.schemas.rns._2006._05.rns.Query;
import org.ggf.schemas.rns._2006._05.rns.RNS10PortType;
import org.ggf.schemas.rns._2006._05.rns.RNSDirectoryNotEmptyFaultType;
import org.ggf.schemas.rns._2006._05.rns.RNSFaultType;
import org.ggf.schemas.rns._2006._05.rns.Remove;
import org.oasis_open.docs.wsrf.r_2.ResourceUnknownFaultType;
import org.oasis_open.docs.wsrf.rl_2.Destroy;
import org.oasis_open.docs.wsrf.rl_2.ResourceNotDestroyedFaultType;
import org.oasis_open.docs.wsrf.rl_2.SetTerminationTime;
import org.oasis_open.docs.wsrf.rl_2.UnableToSetTerminationTimeFaultType;
import org.oasis_open.docs.wsrf.rlw_2.ImmediateResourceTermination;
import org.oasis_open.docs.wsrf.rlw_2.ScheduledResourceTermination;
import org.oasis_open.docs.wsrf.rp_2.GetResourcePropertyDocument;
import org.oasis_open.docs.wsrf.rp_2.InvalidResourcePropertyQNameFaultType;
import org.oasis_open.docs.wsrf.rp_2.QueryExpressionType;
import org.oasis_open.docs.wsrf.rp_2.QueryResourceProperties;
import org.oasis_open.docs.wsrf.rp_2.UnknownQueryExpressionDialectFaultType;
import org.ogf.schemas.rns._2009._12.rns.LookupResponseType;
import org.ogf.schemas.rns._2009._12.rns.MetadataMappingType;
import org.ogf.schemas.rns._2009._12.rns.NameMappingType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryDoesNotExistFaultType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryExistsFaultType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryResponseType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryType;
import org.ogf.schemas.rns._2009._12.rns.RNSMetadataType;
import org.ogf.schemas.rns._2009._12.rns.RNSPortType;
import org.ogf.schemas.rns._2009._12.rns.RNSSupportType;
import org.ogf.schemas.rns._2009._12.rns.SupportsRNSType;
import org.ogf.schemas.rns._2010._11.metadata_search.RNSSearchPortType;
import org.ogf.schemas.rns._2010._11.metadata_search.SearchFaultType;
import org.ogf.schemas.rns._2010._11.metadata_search.SearchRequestType;
import org.ogf.schemas.ws_iterator._2008._06.iterator.IterableElementType;
import org.ogf.schemas.ws_iterator._2008._06.iterator.IterateRequestType;
import org.ogf.schemas.ws_iterator._2008._06.iterator.IterateResponseType;
import org.ogf.schemas.ws_iterator._2008._06.iterator.WSIteratorPortType;
import org.w3.www._2005._08.addressing.AttributedURIType;
import org.w3.www._2005._08.addressing.EndpointReferenceType;

/** A client of Axis 1.4, made by WSDL2Java of what ?wsdl gives. Its argument is the URL of the service. */
public final class AxisClient {
  private static final String RNS_11 = "http://schemas.ogf.org/rns/2009/12/rns";
  private static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";
  private static final String TOP = "axis";

  private final RNSServiceLocator service = new RNSServiceLocator();
  private final URL url;

  private AxisClient(String url) throws Exception {
    this.url = new URL(url);
  }

  public static void main(String[] arguments) throws Exception {
    AxisClient client = new AxisClient(arguments[0]);
    EndpointReferenceType directory = client.makeAndRemove();
    client.properties(directory);
    client.destroy(directory);
    client.rns10();
    client.iterate();
    is("walk", client.walk(client.service.getRNS11Port(client.url)).contains(TOP + "/links/b"), true);
    System.out.println("all checks passed");
  }

  /** Lets a port speak to a reference: its parameters go along as headers, as Globus and Genesis do it. */
  private static <T> T at(EndpointReferenceType reference, T port) throws Exception {
    for (MessageElement parameter : reference.getReferenceParameters().get_any()) {
      SOAPHeaderElement header = new SOAPHeaderElement(new QName(parameter.getNamespaceURI(), parameter.getLocalName()));
      header.addTextNode(parameter.getValue());
      header.setMustUnderstand(false);
      header.setActor(null);
      ((Stub) port).setHeader(header);
    }
    return port;
  }

  private RNSPortType at(EndpointReferenceType reference) throws Exception {
    return at(reference, service.getRNS11Port(new URL(reference.getAddress().get_value().toString())));
  }

  private EndpointReferenceType makeAndRemove() throws Exception {
    RNSPortType root = service.getRNS11Port(url);
    RNSPortType top = at(root.add(new RNSEntryType[] {entry(TOP, null)})[0].getEndpoint());
    EndpointReferenceType links = top.add(new RNSEntryType[] {entry("links", null)})[0].getEndpoint();
    RNSPortType in = at(links);
    EndpointReferenceType elsewhere = new EndpointReferenceType();
    elsewhere.setAddress(new AttributedURIType(new URI("http://elsewhere.example/f")));
    RNSEntryResponseType[] added =
        in.add(new RNSEntryType[] {entry("a", elsewhere), entry("b", elsewhere), entry("a", elsewhere)});
    is("added", added.length, 3);
    is("reference", added[0].getEndpoint().getAddress().get_value().toString(), "http://elsewhere.example/f");
    is("supports-rns", added[0].getMetadata().getSupportsRns().getValue(), RNSSupportType.value2);
    is("exists", fault(added[2], RNSEntryExistsFaultType.class).getEntryName(), "a");

    RNSEntryResponseType[] found = in.lookup(new String[] {"b", "none"}).getEntryResponse();
    is("found", found[0].getFault(), null);
    is("none", fault(found[1], RNSEntryDoesNotExistFaultType.class).getEntryName(), "none");
    is("all", in.lookup(new String[0]).getEntryResponse().length, 2);

    RNSEntryResponseType[] renamed = in.rename(new NameMappingType[] {mapping("a", "b"), mapping("a", "c")});
    is("target", fault(renamed[0], RNSEntryExistsFaultType.class).getEntryName(), "b");
    is("renamed", renamed[1].getEntryName(), "c");

    MetadataMappingType metadata = new MetadataMappingType();
    metadata.setEntryName("c");
    metadata.setSupportsRns(new SupportsRNSType(RNSSupportType.value3));
    RNSEntryResponseType[] told = in.setMetadata(new MetadataMappingType[] {metadata});
    is("metadata", told[0].getMetadata().getSupportsRns().getValue(), RNSSupportType.value3);

    RNSSearchPortType search = at(links, service.getRNSSearchPort(url));
    RNSEntryResponseType[] matches = search.search(new SearchRequestType(null, "/*[@entry-name = 'b']")).getEntryResponse();
    is("matches", matches.length, 1);
    is("match", matches[0].getEntryName(), "b");
    SearchRequestType forbidden = new SearchRequestType(null, "doc('http://elsewhere.example/')");
    refused(SearchFaultType.class, () -> search.search(forbidden));

    RNSEntryResponseType[] removed = in.remove(new String[] {"c", "c"});
    is("removed", removed[0].getFault(), null);
    fault(removed[1], RNSEntryDoesNotExistFaultType.class);
    return top.add(new RNSEntryType[] {entry("to-destroy", null)})[0].getEndpoint();
  }

  private void properties(EndpointReferenceType directory) throws Exception {
    at(directory).add(new RNSEntryType[] {entry("child", null)});
    List<QName> names = new ArrayList<QName>();
    for (String name : new String[] {"elementCount", "createTime", "accessTime", "modificationTime", "readable", "writable"}) {
      names.add(new QName(RNS_11, name));
    }
    MessageElement[] properties =
        at(directory, service.getGetMultipleResourcePropertiesPort(url))
            .getMultipleResourceProperties(names.toArray(new QName[0])).get_any();
    is("properties", properties.length, 6);
    is("elementCount", properties[0].getValue(), "1");
    org.oasis_open.docs.wsrf.rpw_2.GetResourceProperty one = at(directory, service.getGetResourcePropertyPort(url));
    is("readable", one.getResourceProperty(new QName(RNS_11, "readable")).get_any()[0].getValue(), "true");
    refused(InvalidResourcePropertyQNameFaultType.class, () -> one.getResourceProperty(new QName("urn:other", "size")));
    MessageElement document =
        at(directory, service.getGetResourcePropertyDocumentPort(url)).getResourcePropertyDocument(new GetResourcePropertyDocument()).get_any()[0];
    is("document", document.getLocalName(), "RNSRP");
    org.oasis_open.docs.wsrf.rpw_2.QueryResourceProperties query = at(directory, service.getQueryResourcePropertiesPort(url));
    is("found", query.queryResourceProperties(expression(XPATH)).get_any()[0].getValue(), "1");
    refused(UnknownQueryExpressionDialectFaultType.class, () -> query.queryResourceProperties(expression("urn:other")));
    SetTerminationTime time = new SetTerminationTime();
    time.setRequestedLifetimeDuration(new Duration("PT30M"));
    ScheduledResourceTermination end = at(directory, service.getScheduledResourceTerminationPort(url));
    refused(UnableToSetTerminationTimeFaultType.class, () -> end.setTerminationTime(time));
  }

  private static QueryResourceProperties expression(String dialect) throws Exception {
    MessageElement text = new MessageElement(new Text("//*[local-name() = 'elementCount']"));
    QueryExpressionType expression = new QueryExpressionType();
    expression.setDialect(new URI(dialect));
    expression.set_any(new MessageElement[] {text});
    QueryResourceProperties request = new QueryResourceProperties();
    request.setQueryExpression(expression);
    return request;
  }

  private void destroy(EndpointReferenceType directory) throws Exception {
    ImmediateResourceTermination port = at(directory, service.getImmediateResourceTerminationPort(url));
    is("Timestamp", refused(ResourceNotDestroyedFaultType.class, () -> done(port)).getTimestamp() != null, true);
    at(directory).remove(new String[] {"child"});
    port.destroy(new Destroy());
    refused(ResourceUnknownFaultType.class, () -> done(port));
    // The port type of RNS 1.1 declares no such fault.
    AxisFault unknown = refused(AxisFault.class, () -> at(directory).lookup(new String[0]));
    is("detail", unknown.getFaultDetails()[0].getLocalName(), "ResourceUnknownFault");
  }

  private static Object done(ImmediateResourceTermination port) throws Exception {
    port.destroy(new Destroy());
    return "destroyed";
  }

  private void rns10() throws Exception {
    RNS10PortType port = service.getRNS10Port(url);
    Add directory = new Add();
    directory.setEntry_name(TOP + "-1.0");
    EndpointReferenceType made = port.add(directory).getEntry_reference(0);
    refused(org.ggf.schemas.rns._2006._05.rns.RNSEntryExistsFaultType.class, () -> port.add(directory));
    RNS10PortType in = at(made, service.getRNS10Port(url));
    Add child = new Add();
    child.setEntry_name("child");
    in.add(child);
    is("listed", in.list(new org.ggf.schemas.rns._2006._05.rns.List()).getEntryList().length, 1);
    is("queried", in.query(new Query()).getEntryProperties().getEntry_name(), TOP + "-1.0");
    Query none = new Query();
    none.setEntryPattern("none");
    is("Path", refused(RNSFaultType.class, () -> in.query(none)).getPath(), "/none");
    Remove remove = new Remove();
    remove.setEntry_name(TOP + "-1.0");
    refused(RNSDirectoryNotEmptyFaultType.class, () -> port.remove(remove));
    Remove removeChild = new Remove();
    removeChild.setEntry_name("child");
    is("removed", in.remove(removeChild).getEntry_name(), "child");
    is("removed", port.remove(remove).getEntry_name(), TOP + "-1.0");
  }

  /** As RENKEI's clients count: offsets begin at the first entry, and a short block is the last. */
  private void iterate() throws Exception {
    RNSPortType directory = at(service.getRNS11Port(url).add(new RNSEntryType[] {entry(TOP + "-many", null)})[0].getEndpoint());
    EndpointReferenceType elsewhere = new EndpointReferenceType();
    elsewhere.setAddress(new AttributedURIType(new URI("http://elsewhere.example/f")));
    for (int from = 0; from < 2500; from += 500) {
      RNSEntryType[] some = new RNSEntryType[500];
      for (int i = 0; i < some.length; i++) {
        some[i] = entry(String.format("n%04d", from + i), elsewhere);
      }
      directory.add(some);
    }
    LookupResponseType first = directory.lookup(new String[0]);
    TreeSet<String> names = new TreeSet<String>();
    for (RNSEntryResponseType entry : first.getEntryResponse()) {
      names.add(entry.getEntryName());
    }
    QName size = new QName("http://schemas.ogf.org/ws-iterator/2008/06/iterator", "preferredBlockSize");
    int block =
        Integer.parseInt(
            at(first.getIterator(), service.getGetResourcePropertyPort(url)).getResourceProperty(size).get_any()[0].getValue());
    WSIteratorPortType port = at(first.getIterator(), service.getWSIteratorPort(url));
    int told = names.size();
    IterableElementType[] elements;
    do {
      IterateResponseType answer =
          port.iterate(new IterateRequestType(new UnsignedLong(told), new UnsignedInt(block)));
      is("size", answer.getIteratorSize().intValue(), 2500);
      elements = answer.getIterableElement();
      for (IterableElementType element : elements) {
        is("index", element.getIndex().intValue(), told++);
        names.add(element.get_any()[0].getAttribute("entry-name"));
      }
    } while (elements.length == block);
    is("iterated", told, 2500);
    is("different", names.size(), 2500);
    is("last", names.last(), "n2499");
  }

  /** The names of all entries below a directory, by following the references that lookups give. */
  private List<String> walk(RNSPortType directory) throws Exception {
    List<String> names = new ArrayList<String>();
    RNSEntryResponseType[] entries = directory.lookup(new String[0]).getEntryResponse();
    for (RNSEntryResponseType entry : entries == null ? new RNSEntryResponseType[0] : entries) {
      names.add(entry.getEntryName());
      if (entry.getMetadata().getSupportsRns().getValue() == RNSSupportType.value1) {
        for (String below : walk(at(entry.getEndpoint()))) {
          names.add(entry.getEntryName() + "/" + below);
        }
      }
    }
    return names;
  }

  private static RNSEntryType entry(String name, EndpointReferenceType reference) {
    RNSEntryType entry = new RNSEntryType();
    entry.setEntryName(name);
    if (reference != null) {
      entry.setEndpoint(reference);
      entry.setMetadata(new RNSMetadataType(new SupportsRNSType(RNSSupportType.value2), null));
    }
    return entry;
  }

  private static NameMappingType mapping(String source, String target) {
    NameMappingType mapping = new NameMappingType();
    mapping.setSourceName(source);
    mapping.setTargetName(target);
    return mapping;
  }

  /** Axis makes the class that xsi:type names: without it this would be a BaseFaultType. */
  private static <T> T fault(RNSEntryResponseType response, Class<T> type) {
    is(response.getEntryName(), response.getFault() == null ? null : response.getFault().getClass(), type);
    is("Timestamp", response.getFault().getTimestamp() != null, true);
    return type.cast(response.getFault());
  }

  private static <T extends Exception> T refused(Class<T> type, Callable<?> call) throws Exception {
    Object answer;
    try {
      answer = call.call();
    } catch (Exception e) {
      if (type.isInstance(e)) {
        return type.cast(e);
      }
      throw e;
    }
    throw new AssertionError(type.getSimpleName() + " expected, but: " + answer);
  }

  private static void is(String what, Object actual, Object expected) {
    if (actual == null ? expected != null : !actual.equals(expected)) {
      throw new AssertionError(what + ": expected " + expected + " but was " + actual);
    }
  }
}
