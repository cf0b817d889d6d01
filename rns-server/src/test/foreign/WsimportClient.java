import jakarta.xml.bind.JAXBElement;
import jakarta.xml.ws.soap.AddressingFeature;
import jakarta.xml.ws.soap.SOAPFaultException;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import javax.xml.datatype.DatatypeConstants;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;
import org.ggf.schemas.rns._2006._05.rns.Add;
import org.ggf.schemas.rns._2006._05.rns.EntryType;
import org.ggf.schemas.rns._2006._05.rns.Query;
import org.ggf.schemas.rns._2006._05.rns.Remove;
import org.oasis_open.docs.wsrf.bf_2.BaseFaultType;
import org.oasis_open.docs.wsrf.rl_2.SetTerminationTime;
import org.oasis_open.docs.wsrf.rl_2.SetTerminationTimeResponse;
import org.oasis_open.docs.wsrf.rp_2.GetMultipleResourceProperties;
import org.oasis_open.docs.wsrf.rp_2.GetResourcePropertyDocument;
import org.oasis_open.docs.wsrf.rp_2.QueryExpressionType;
import org.ogf.schemas.rns._2009._12.rns.AddRequestType;
import org.ogf.schemas.rns._2009._12.rns.LookupRequestType;
import org.ogf.schemas.rns._2009._12.rns.LookupResponseType;
import org.ogf.schemas.rns._2009._12.rns.MetadataMappingType;
import org.ogf.schemas.rns._2009._12.rns.NameMappingType;
import org.ogf.schemas.rns._2009._12.rns.ObjectFactory;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryDoesNotExistFaultType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryExistsFaultType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryResponseType;
import org.ogf.schemas.rns._2009._12.rns.RNSEntryType;
import org.ogf.schemas.rns._2009._12.rns.RNSMetadataType;
import org.ogf.schemas.rns._2009._12.rns.RNSRP;
import org.ogf.schemas.rns._2009._12.rns.RNSSupportType;
import org.ogf.schemas.rns._2009._12.rns.RemoveRequestType;
import org.ogf.schemas.rns._2009._12.rns.RenameRequestType;
import org.ogf.schemas.rns._2009._12.rns.SetMetadataRequestType;
import org.ogf.schemas.rns._2009._12.rns.SupportsRNSType;
import org.ogf.schemas.rns._2010._11.metadata_search.SearchRequestType;
import org.ogf.schemas.ws_iterator._2008._06.iterator.IterableElementType;
import org.ogf.schemas.ws_iterator._2008._06.iterator.IterateRequestType;
import org.ogf.schemas.ws_iterator._2008._06.iterator.IterateResponseType;
import org.w3c.dom.Element;
import rns.service._1.ImmediateResourceTermination;
import rns.service._1.InvalidResourcePropertyQNameFault;
import rns.service._1.QueryResourceProperties;
import rns.service._1.RNSDirectoryNotEmptyFault;
import rns.service._1.RNSEntryExistsFault;
import rns.service._1.RNSFault;
import rns.service._1.RNSPortType;
import rns.service._1.RNSSearchPortType;
import rns.service._1.RNSService;
import rns.service._1.ResourceNotDestroyedFault;
import rns.service._1.ResourceUnknownFault;
import rns.service._1.ScheduledResourceTermination;
import rns.service._1.SearchFault;
import rns.service._1.UnableToSetTerminationTimeFault;
import rns.service._1.UnknownQueryExpressionDialectFault;
import rns.service._1.WSIteratorPortType;

/** A client of Metro, made by wsimport of what ?wsdl gives. Its argument is the URL of the service. */
public final class WsimportClient {
  private static final String RNS_11 = "http://schemas.ogf.org/rns/2009/12/rns";
  private static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";
  private static final ObjectFactory TYPES = new ObjectFactory();

  private final RNSService service;
  private final String url;
  private final String version;

  private WsimportClient(String url, String version) throws Exception {
    this.url = url;
    this.version = version;
    String query = version.isEmpty() ? "?wsdl" : "?wsdl=soap12";
    service = new RNSService(URI.create(url + query).toURL(), new QName("urn:rns:service:1", "RNSService"));
  }

  /** Second argument: empty for SOAP 1.1, Soap12 for 1.2. */
  public static void main(String[] arguments) throws Exception {
    WsimportClient client = new WsimportClient(arguments[0], arguments.length > 1 ? arguments[1] : "");
    String top = "wsimport" + client.version;
    W3CEndpointReference directory = client.makeAndRemove(top);
    client.properties(directory);
    client.destroy(directory);
    client.rns10(top + "-1.0");
    client.check(client.walk(client.port(RNSPortType.class, "RNS11")).toString(), "walk").contains(top + "/links/b");
    System.out.println("all checks passed");
  }

  /** A port at the URL of the service. */
  private <T> T port(Class<T> type, String name) {
    return service.getPort(new QName("urn:rns:service:1", name + version + "Port"), type);
  }

  /** A port at a reference, whose parameters go along as headers, with all else that WS-Addressing asks for. */
  private <T> T port(Class<T> type, W3CEndpointReference reference) {
    return service.getPort(reference, type, new AddressingFeature());
  }

  private W3CEndpointReference makeAndRemove(String name) throws Exception {
    RNSPortType root = port(RNSPortType.class, "RNS11");
    W3CEndpointReference top = add(root, entry(name, null)).get(0).getEndpoint();
    RNSPortType directory = port(RNSPortType.class, top);
    W3CEndpointReference links = add(directory, entry("links", null)).get(0).getEndpoint();
    W3CEndpointReference elsewhere = new W3CEndpointReferenceBuilder().address("http://elsewhere.example/f").build();
    RNSPortType in = port(RNSPortType.class, links);
    List<RNSEntryResponseType> added = add(in, entry("a", elsewhere), entry("b", elsewhere), entry("a", elsewhere));
    check(added.size(), "added").is(3);
    check(added.get(0).getEndpoint().toString(), "reference").contains("http://elsewhere.example/f");
    check(added.get(0).getMetadata().getValue().getSupportsRns().getValue(), "supports-rns").is(RNSSupportType.FALSE);
    check(fault(added.get(2), RNSEntryExistsFaultType.class).getEntryName(), "exists").is("a");

    List<RNSEntryResponseType> found = lookup(in, "b", "none");
    check(found.get(0).getFault(), "found").is(null);
    check(fault(found.get(1), RNSEntryDoesNotExistFaultType.class).getEntryName(), "none").is("none");
    check(lookup(in).size(), "all").is(2);

    RenameRequestType rename = new RenameRequestType();
    rename.getRenameRequest().add(mapping("a", "b"));
    rename.getRenameRequest().add(mapping("a", "c"));
    List<RNSEntryResponseType> renamed = in.rename(rename).getEntryResponse();
    check(fault(renamed.get(0), RNSEntryExistsFaultType.class).getEntryName(), "target").is("b");
    check(renamed.get(1).getEntryName(), "renamed").is("c");

    MetadataMappingType metadata = new MetadataMappingType();
    metadata.setEntryName("c");
    metadata.setSupportsRns(supports(RNSSupportType.UNKNOWN));
    SetMetadataRequestType set = new SetMetadataRequestType();
    set.getSetMetadataRequest().add(metadata);
    check(in.setMetadata(set).getEntryResponse().get(0).getMetadata().getValue().getSupportsRns().getValue(), "metadata")
        .is(RNSSupportType.UNKNOWN);

    SearchRequestType search = new SearchRequestType();
    search.setQuery("/*[@entry-name = 'b']");
    RNSSearchPortType searched = port(RNSSearchPortType.class, links);
    List<RNSEntryResponseType> matches = searched.search(search).getEntryResponse();
    check(matches.size(), "matches").is(1);
    check(matches.get(0).getEntryName(), "match").is("b");
    search.setQuery("doc('http://elsewhere.example/')");
    refused(SearchFault.class, () -> searched.search(search));

    RemoveRequestType remove = new RemoveRequestType();
    remove.getEntryName().addAll(Arrays.asList("c", "c"));
    List<RNSEntryResponseType> removed = in.remove(remove).getEntryResponse();
    check(removed.get(0).getFault(), "removed").is(null);
    fault(removed.get(1), RNSEntryDoesNotExistFaultType.class);
    return add(directory, entry("to-destroy", null)).get(0).getEndpoint();
  }

  private void properties(W3CEndpointReference directory) throws Exception {
    RNSPortType in = port(RNSPortType.class, directory);
    add(in, entry("child", null));
    GetMultipleResourceProperties request = new GetMultipleResourceProperties();
    for (String name : Arrays.asList("elementCount", "createTime", "accessTime", "modificationTime", "readable", "writable")) {
      request.getResourceProperty().add(new QName(RNS_11, name));
    }
    List<Object> properties =
        port(rns.service._1.GetMultipleResourceProperties.class, directory).getMultipleResourceProperties(request).getAny();
    check(properties.size(), "properties").is(6);
    check(((JAXBElement<?>) properties.get(0)).getValue().toString(), "elementCount").is("1");
    rns.service._1.GetResourceProperty one = port(rns.service._1.GetResourceProperty.class, directory);
    check(((JAXBElement<?>) one.getResourceProperty(new QName(RNS_11, "readable")).getAny().get(0)).getValue(), "readable").is(true);
    refused(InvalidResourcePropertyQNameFault.class, () -> one.getResourceProperty(new QName("urn:other", "size")));
    Object document =
        port(rns.service._1.GetResourcePropertyDocument.class, directory)
            .getResourcePropertyDocument(new GetResourcePropertyDocument()).getAny();
    check(((RNSRP) document).isWritable(), "writable").is(true);
    QueryResourceProperties query = port(QueryResourceProperties.class, directory);
    List<Object> found = query.queryResourceProperties(expression(XPATH)).getContent();
    check(((JAXBElement<?>) found.get(0)).getValue().toString(), "found").is("1");
    refused(UnknownQueryExpressionDialectFault.class, () -> query.queryResourceProperties(expression("urn:other")));
    SetTerminationTime time = new SetTerminationTime();
    time.setRequestedLifetimeDuration(DatatypeFactory.newInstance().newDuration("PT30M"));
    ScheduledResourceTermination end = port(ScheduledResourceTermination.class, directory);
    refused(UnableToSetTerminationTimeFault.class, () -> end.setTerminationTime(time));
  }

  private static org.oasis_open.docs.wsrf.rp_2.QueryResourceProperties expression(String dialect) {
    QueryExpressionType expression = new QueryExpressionType();
    expression.setDialect(dialect);
    expression.getContent().add("//*[local-name() = 'elementCount']");
    org.oasis_open.docs.wsrf.rp_2.QueryResourceProperties request = new org.oasis_open.docs.wsrf.rp_2.QueryResourceProperties();
    request.setQueryExpression(expression);
    return request;
  }

  private void destroy(W3CEndpointReference directory) throws Exception {
    ImmediateResourceTermination port = port(ImmediateResourceTermination.class, directory);
    check(refused(ResourceNotDestroyedFault.class, () -> done(port)).getFaultInfo().getTimestamp() != null, "Timestamp").is(true);
    RemoveRequestType remove = new RemoveRequestType();
    remove.getEntryName().add("child");
    port(RNSPortType.class, directory).remove(remove);
    port.destroy();
    refused(ResourceUnknownFault.class, () -> done(port));
    // The port type of RNS 1.1 declares no such fault.
    SOAPFaultException unknown =
        refused(SOAPFaultException.class, () -> lookup(port(RNSPortType.class, directory)));
    check(unknown.getFault().getDetail().getFirstChild().getLocalName(), "detail").is("ResourceUnknownFault");
  }

  private static Object done(ImmediateResourceTermination port) throws Exception {
    port.destroy();
    return "destroyed";
  }

  private void rns10(String name) throws Exception {
    rns.service._1.RNS10PortType port = port(rns.service._1.RNS10PortType.class, "RNS10");
    Add directory = new Add();
    directory.setEntryName(name);
    W3CEndpointReference made = port.add(directory).getEntryReference().get(0);
    refused(RNSEntryExistsFault.class, () -> port.add(directory));
    rns.service._1.RNS10PortType in = port(rns.service._1.RNS10PortType.class, made);
    Add child = new Add();
    child.setEntryName("child");
    in.add(child);
    List<EntryType> listed = in.list(new org.ggf.schemas.rns._2006._05.rns.List()).getEntryList().getEntry();
    check(listed.size(), "listed").is(1);
    check(in.query(new Query()).getEntryProperties().getEntryName(), "queried").is(name);
    Query none = new Query();
    none.setEntryPattern("none");
    check(refused(RNSFault.class, () -> in.query(none)).getFaultInfo().getPath(), "Path").is("/none");
    Remove remove = new Remove();
    remove.setEntryName(name);
    refused(RNSDirectoryNotEmptyFault.class, () -> port.remove(remove));
    Remove removeChild = new Remove();
    removeChild.setEntryName("child");
    check(in.remove(removeChild).getEntryName(), "removed").is("child");
    check(port.remove(remove).getEntryName(), "removed").is(name);
  }

  /** As Genesis II counts: offsets begin behind the first block. */
  private void iterate(String name) throws Exception {
    RNSPortType root = port(RNSPortType.class, "RNS11");
    RNSPortType directory = port(RNSPortType.class, add(root, entry(name, null)).get(0).getEndpoint());
    W3CEndpointReference elsewhere = new W3CEndpointReferenceBuilder().address("http://elsewhere.example/f").build();
    for (int from = 0; from < 2_500; from += 500) {
      RNSEntryType[] some = new RNSEntryType[500];
      for (int i = 0; i < some.length; i++) {
        some[i] = entry(String.format("n%04d", from + i), elsewhere);
      }
      add(directory, some);
    }
    LookupResponseType first = directory.lookup(new LookupRequestType());
    List<String> names = new ArrayList<>();
    for (RNSEntryResponseType entry : first.getEntryResponse()) {
      names.add(entry.getEntryName());
    }
    W3CEndpointReference iterator = first.getIterator();
    WSIteratorPortType port = port(WSIteratorPortType.class, iterator);
    int begin = names.size();
    IterateResponseType block;
    do {
      IterateRequestType request = new IterateRequestType();
      request.setStartOffset(BigInteger.valueOf(names.size() - begin));
      request.setElementCount(700);
      block = port.iterate(request);
      for (IterableElementType element : block.getIterableElement()) {
        check(element.getIndex(), "index").is((long) names.size() - begin);
        names.add(((Element) element.getAny().get(0)).getAttribute("entry-name"));
      }
      check(block.getIteratorSize(), "size").is(BigInteger.valueOf(2_500 - begin));
    } while (names.size() - begin < block.getIteratorSize().intValue());
    check(names.size(), "iterated").is(2_500);
    check(new TreeSet<>(names).last(), "last").is("n2499");
    check(new TreeSet<>(names).size(), "different").is(2_500);
    SetTerminationTime time = new SetTerminationTime();
    time.setRequestedLifetimeDuration(DatatypeFactory.newInstance().newDuration("PT30M"));
    SetTerminationTimeResponse told = port(ScheduledResourceTermination.class, iterator).setTerminationTime(time);
    check(told.getNewTerminationTime().compare(told.getCurrentTime()), "later").is(DatatypeConstants.GREATER);
    ImmediateResourceTermination end = port(ImmediateResourceTermination.class, iterator);
    end.destroy();
    refused(ResourceUnknownFault.class, () -> done(end));
  }

  /** The names of all entries below a directory, by following the references that lookups give. */
  private List<String> walk(RNSPortType directory) throws Exception {
    List<String> names = new ArrayList<>();
    for (RNSEntryResponseType entry : lookup(directory)) {
      names.add(entry.getEntryName());
      if (entry.getMetadata().getValue().getSupportsRns().getValue() == RNSSupportType.TRUE) {
        for (String below : walk(port(RNSPortType.class, entry.getEndpoint()))) {
          names.add(entry.getEntryName() + "/" + below);
        }
      }
    }
    return names;
  }

  private static List<RNSEntryResponseType> add(RNSPortType directory, RNSEntryType... entries) throws Exception {
    AddRequestType request = new AddRequestType();
    request.getEntry().addAll(Arrays.asList(entries));
    return directory.add(request).getEntryResponse();
  }

  private static List<RNSEntryResponseType> lookup(RNSPortType directory, String... names) throws Exception {
    LookupRequestType request = new LookupRequestType();
    request.getEntryName().addAll(Arrays.asList(names));
    return directory.lookup(request).getEntryResponse();
  }

  private static RNSEntryType entry(String name, W3CEndpointReference reference) {
    RNSEntryType entry = new RNSEntryType();
    entry.setEntryName(name);
    if (reference != null) {
      entry.setEndpoint(TYPES.createRNSEntryTypeEndpoint(reference));
      RNSMetadataType metadata = new RNSMetadataType();
      metadata.setSupportsRns(supports(RNSSupportType.FALSE));
      entry.setMetadata(TYPES.createRNSEntryTypeMetadata(metadata));
    }
    return entry;
  }

  private static SupportsRNSType supports(RNSSupportType value) {
    SupportsRNSType supports = new SupportsRNSType();
    supports.setValue(value);
    return supports;
  }

  private static NameMappingType mapping(String source, String target) {
    NameMappingType mapping = new NameMappingType();
    mapping.setSourceName(source);
    mapping.setTargetName(target);
    return mapping;
  }

  private <T extends BaseFaultType> T fault(RNSEntryResponseType response, Class<T> type) {
    check(response.getFault() == null ? null : response.getFault().getClass(), response.getEntryName()).is(type);
    check(response.getFault().getTimestamp() != null, "Timestamp").is(true);
    return type.cast(response.getFault());
  }

  private <T extends Exception> T refused(Class<T> type, Callable<?> call) throws Exception {
    try {
      throw new AssertionError(type.getSimpleName() + " expected, but: " + call.call());
    } catch (Exception e) {
      if (type.isInstance(e)) {
        return type.cast(e);
      }
      throw e;
    }
  }

  private Check check(Object actual, String what) {
    return new Check(actual, what);
  }

  private record Check(Object actual, String what) {
    void is(Object expected) {
      if (actual == null ? expected != null : !actual.equals(expected)) {
        throw new AssertionError(what + ": expected " + expected + " but was " + actual);
      }
    }

    void contains(String expected) {
      if (!actual.toString().contains(expected)) {
        throw new AssertionError(what + ": expected " + expected + " in " + actual);
      }
    }
  }
}
