package io.rns.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.api.EndpointReference;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * A server of RNS 1.1 of another make, on a socket of this machine: it knows the standards and none of our extensions,
 * and answers in the forms that known servers have. Directories are told by a reference parameter of its own namespace.
 */
final class PlainServer implements AutoCloseable {
  /** Where the offsets of an iterator begin to count. */
  enum Offsets {
    /** At the first entry of the directory. */
    OF_THE_DIRECTORY,
    /** At the first entry that the lookup left out. */
    OF_THE_REST
  }

  /** An entry: a directory of this server by its key, or a link by its reference. */
  record Item(String key, String reference, String supportsRns, String metadata) {}

  private final HttpServer http;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Map<String, Item>> directories = new ConcurrentHashMap<>();
  private final List<String> operations = Collections.synchronizedList(new ArrayList<>());
  private final List<String> messages = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Function<String, String>> scripted = new ConcurrentHashMap<>();
  private String naming = "";
  private int made;
  private int block = Integer.MAX_VALUE;
  private Offsets offsets = Offsets.OF_THE_REST;

  private PlainServer() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/wsrf/", this::serve);
    http.start();
    directories.put("ROOT", new LinkedHashMap<>());
  }

  static PlainServer start() {
    try {
      return new PlainServer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/wsrf/services?kind=rns";
  }

  EndpointReference root() {
    return EndpointReference.parse("<r xmlns:wsa='" + PlainForms.WSA + "'>" + reference("ROOT") + "</r>");
  }

  /** The content of the reference of a directory. */
  String reference(String key) {
    return PlainForms.reference(address(), key, naming.replace("{key}", key));
  }

  /**
   * From now on references of directories carry this in their metadata; {@code {key}} stands for the directory's key.
   */
  void name(String metadata) {
    naming = metadata;
  }

  /** From now on a lookup of all tells so many entries, and an iterator for the rest. */
  void iterate(int entries, Offsets counted) {
    block = entries;
    offsets = counted;
  }

  /** From now on an operation, by the element of its body, is answered by what a function makes of the message. */
  void script(String operation, Function<String, String> answer) {
    scripted.put(operation, answer);
  }

  void unscript(String operation) {
    scripted.remove(operation);
  }

  /** Puts an entry into a directory. */
  void put(String directory, String name, Item item) {
    directories.get(directory).put(name, item);
  }

  /** Makes a directory in another and gives its key. */
  synchronized String make(String directory, String name) {
    String key = "d" + ++made;
    directories.put(key, new LinkedHashMap<>());
    put(directory, name, new Item(key, "", "true", ""));
    return key;
  }

  Map<String, Item> entries(String directory) {
    return Map.copyOf(directories.get(directory));
  }

  boolean has(String key) {
    return directories.containsKey(key);
  }

  /** The operations that came, by the element of their bodies, in order. */
  List<String> operations() {
    return List.copyOf(operations);
  }

  /** The messages that came. */
  List<String> messages() {
    return List.copyOf(messages);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] request = exchange.getRequestBody().readAllBytes();
      String answer;
      if ("kind=rns".equals(exchange.getRequestURI().getRawQuery())) {
        answer = answer(request);
      } else {
        answer = PlainForms.fault("Client", "no such service", "");
      }
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/xml;charset=utf-8");
      exchange.sendResponseHeaders(answer.contains(":Fault>") ? 500 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** What a request says: key of the target, iterator, operation, and the body as text. */
  private record Told(String key, String iterator, String operation, String body) {}

  private synchronized String answer(byte[] request) {
    messages.add(new String(request, StandardCharsets.UTF_8));
    Told told = read(request);
    operations.add(told.operation());
    Function<String, String> answer = scripted.get(told.operation());
    if (answer != null) {
      return answer.apply(new String(request, StandardCharsets.UTF_8));
    }
    if (!directories.containsKey(told.key())) {
      return PlainForms.fault("Client", "unknown",
          "<f:ResourceUnknownFault xmlns:f='http://docs.oasis-open.org/wsrf/r-2'/>");
    }
    try (XmlPull pull = XmlPull.document(told.body())) {
      return PlainForms.answerOf(
          switch (told.operation()) {
            case "LookupRequest" -> lookup(told.key(), pull);
            case "AddRequest" -> add(told.key(), pull);
            case "RemoveRequest" -> remove(told.key(), pull);
            case "RenameRequest" -> rename(told.key(), pull);
            case "SetMetadataRequest" -> setMetadata(told.key(), pull);
            case "IterateRequestType" -> iterate(told.key(), pull);
            case "GetMultipleResourceProperties" -> properties(told.key());
            case "Destroy" -> destroy(told);
            default -> throw new IllegalArgumentException("no operation " + told.operation());
          });
    } catch (IllegalArgumentException e) {
      return PlainForms.fault("Server", String.valueOf(e.getMessage()), "");
    }
  }

  private static Told read(byte[] request) {
    String key = "";
    String iterator = "";
    try (XmlPull pull = XmlPull.document(new ByteArrayInputStream(request))) {
      while (pull.nextChild()) {
        if (pull.localName().equals("Header")) {
          while (pull.nextChild()) {
            if (pull.is(PlainForms.KEY, "Key")) {
              key = pull.attribute(PlainForms.WSA, "IsReferenceParameter") == null ? "" : pull.text();
            } else if (pull.is(PlainForms.KEY, "Iterator")) {
              iterator = pull.text();
            } else {
              pull.skip();
            }
          }
        } else {
          pull.nextChild();
          String operation = pull.localName();
          return new Told(key, iterator, operation, pull.fragment());
        }
      }
    }
    throw new IllegalArgumentException("no body");
  }

  private String entry(String element, String name, Item item) {
    String reference = item.key().isEmpty() ? item.reference() : reference(item.key());
    return "<rns:" + element + PlainForms.attribute(name) + "><rns:endpoint>" + reference + "</rns:endpoint>"
        + ("<rns:metadata><rns:supports-rns value='" + item.supportsRns() + "'/>" + item.metadata() + "</rns:metadata>")
        + ("</rns:" + element + ">");
  }

  private String lookup(String key, XmlPull pull) {
    StringBuilder all = new StringBuilder("<rns:LookupResponse>");
    boolean named = false;
    while (pull.nextChild()) {
      named = true;
      String name = pull.text();
      Item item = directories.get(key).get(name);
      all.append(item == null ? PlainForms.refusal(name, "RNSEntryDoesNotExistFaultType")
          : entry("entry-response", name, item));
    }
    if (!named) {
      List<String> names = new ArrayList<>(directories.get(key).keySet());
      names.subList(0, Math.min(block, names.size()))
          .forEach(name -> all.append(entry("entry-response", name, directories.get(key).get(name))));
      if (names.size() > block) {
        all.append("<rns:iterator><wsa:Address>").append(address()).append("</wsa:Address><wsa:ReferenceParameters>");
        all.append("<k:Key xmlns:k='" + PlainForms.KEY + "'>").append(key)
            .append("</k:Key><k:Iterator xmlns:k='" + PlainForms.KEY + "'>1");
        all.append("</k:Iterator></wsa:ReferenceParameters></rns:iterator>");
      }
    }
    return all.append("</rns:LookupResponse>").toString();
  }

  private String iterate(String key, XmlPull pull) {
    long start = 0;
    int count = 0;
    while (pull.nextChild()) {
      if (pull.localName().equals("start-offset")) {
        start = Long.parseLong(pull.text());
      } else {
        count = Integer.parseInt(pull.text());
      }
    }
    List<String> names = new ArrayList<>(directories.get(key).keySet());
    int hidden = offsets == Offsets.OF_THE_REST ? block : 0;
    List<String> covered = names.subList(hidden, names.size());
    StringBuilder all = new StringBuilder("<iter:IterateResponseType><iter:iterator-size>" + covered.size());
    all.append("</iter:iterator-size>");
    for (long i = start; i < Math.min(covered.size(), start + count); i++) {
      String name = covered.get((int) i);
      all.append("<iter:iterable-element index='").append(i).append("'>");
      all.append(entry("RNSEntryResponseType", name, directories.get(key).get(name)))
          .append("</iter:iterable-element>");
    }
    return all.append("</iter:IterateResponseType>").toString();
  }

  private String add(String key, XmlPull pull) {
    StringBuilder all = new StringBuilder("<rns:AddResponse>");
    while (pull.nextChild()) {
      String name = pull.attribute("", "entry-name");
      String reference = "";
      String supports = "unknown";
      StringBuilder metadata = new StringBuilder();
      while (pull.nextChild()) {
        if (pull.localName().equals("endpoint")) {
          reference = EndpointReference.read(pull).content();
        } else {
          supports = metadata(pull, metadata, supports);
        }
      }
      if (directories.get(key).containsKey(name)) {
        all.append(PlainForms.refusal(name, "RNSEntryExistsFaultType"));
        continue;
      }
      if (reference.isEmpty()) {
        String made = make(key, name);
        put(key, name, new Item(made, "", "true", metadata.toString()));
      } else {
        put(key, name, new Item("", reference, supports, metadata.toString()));
      }
      all.append(entry("entry-response", name, directories.get(key).get(name)));
    }
    return all.append("</rns:AddResponse>").toString();
  }

  private static String metadata(XmlPull pull, StringBuilder metadata, String otherwise) {
    String supports = otherwise;
    while (pull.nextChild()) {
      if (pull.localName().equals("supports-rns")) {
        supports = pull.attribute("", "value");
        pull.skip();
      } else {
        metadata.append(pull.fragment());
      }
    }
    return supports;
  }

  private String remove(String key, XmlPull pull) {
    StringBuilder all = new StringBuilder("<rns:RemoveResponse>");
    while (pull.nextChild()) {
      String name = pull.text();
      Item item = directories.get(key).remove(name);
      all.append(item == null ? PlainForms.refusal(name, "RNSEntryDoesNotExistFaultType")
          : entry("entry-response", name, item));
    }
    return all.append("</rns:RemoveResponse>").toString();
  }

  private String rename(String key, XmlPull pull) {
    StringBuilder all = new StringBuilder("<rns:RenameResponse>");
    while (pull.nextChild()) {
      String from = pull.attribute("", "source-name");
      String to = pull.attribute("", "target-name");
      pull.skip();
      Map<String, Item> entries = directories.get(key);
      if (!entries.containsKey(from)) {
        all.append(PlainForms.refusal(from, "RNSEntryDoesNotExistFaultType"));
      } else if (entries.containsKey(to)) {
        all.append(PlainForms.refusal(to, "RNSEntryExistsFaultType"));
      } else {
        entries.put(to, entries.remove(from));
        all.append(entry("entry-response", to, entries.get(to)));
      }
    }
    return all.append("</rns:RenameResponse>").toString();
  }

  private String setMetadata(String key, XmlPull pull) {
    StringBuilder all = new StringBuilder("<rns:SetMetadataResponse>");
    while (pull.nextChild()) {
      String name = pull.attribute("", "entry-name");
      StringBuilder metadata = new StringBuilder();
      String supports = metadata(pull, metadata, "unknown");
      Item old = directories.get(key).get(name);
      if (old == null) {
        all.append(PlainForms.refusal(name, "RNSEntryDoesNotExistFaultType"));
      } else {
        put(key, name, new Item(old.key(), old.reference(), supports, metadata.toString()));
        all.append(entry("entry-response", name, directories.get(key).get(name)));
      }
    }
    return all.append("</rns:SetMetadataResponse>").toString();
  }

  private String properties(String key) {
    return "<p:GetMultipleResourcePropertiesResponse xmlns:p='http://docs.oasis-open.org/wsrf/rp-2'><rns:elementCount>"
        + directories.get(key).size()
        + "</rns:elementCount><rns:createTime>2012-03-30T09:00:00.000+09:00</rns:createTime>"
        + "<rns:modificationTime xsi:nil='true'/></p:GetMultipleResourcePropertiesResponse>";
  }

  private String destroy(Told told) {
    if (told.iterator().isEmpty()) {
      if (!directories.get(told.key()).isEmpty()) {
        throw new IllegalArgumentException("not empty");
      }
      directories.remove(told.key());
    }
    return "<l:DestroyResponse xmlns:l='http://docs.oasis-open.org/wsrf/rl-2'/>";
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
