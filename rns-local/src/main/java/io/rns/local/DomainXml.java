package io.rns.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * GlassFish's configuration, derived from the shipped one: one HTTP listener behind the guard, our applications, and no
 * other listener. Not thread-safe.
 */
final class DomainXml {
  private static final String CONFIG = "server-config";
  private static final String LISTENER = "http-listener-1";
  private static final String ADMIN_LISTENER = "admin-listener";
  private static final String POOL = "http-thread-pool";

  private final Document document;
  private final Element config;

  private DomainXml(Document document) {
    this.document = document;
    // The other one is the template for servers added to a domain.
    all("config").stream().filter(other -> !other.getAttribute("name").equals(CONFIG)).forEach(DomainXml::remove);
    this.config = named("config", CONFIG);
  }

  static DomainXml read(Path template) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      return new DomainXml(factory.newDocumentBuilder().parse(template.toFile()));
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new LocalServiceException(
          "GlassFish's settings " + template + " cannot be read; delete rns-local/target/local and rebuild", e);
    }
  }

  /** The shipped JVM options, with unresolved variables. */
  List<String> jvmOptions() {
    return all("jvm-options").stream().map(option -> option.getTextContent().strip()).toList();
  }

  /**
   * One listener on 127.0.0.1, with keep-alive connections.
   *
   * <p>A request that waits for its commit holds a thread, so the pool is large; threads are kept, because creating one
   * costs more than a query.
   */
  void listen(int port) {
    all("network-listener").stream()
        .filter(listener -> !listener.getAttribute("name").matches(LISTENER + "|" + ADMIN_LISTENER))
        .forEach(DomainXml::remove);
    // Without it GlassFish would offer its administration on the HTTP listener.
    Element administration = named("network-listener", ADMIN_LISTENER);
    administration.setAttribute("enabled", "false");
    administration.setAttribute("address", "127.0.0.1");
    Element listener = named("network-listener", LISTENER);
    listener.setAttribute("address", "127.0.0.1");
    listener.setAttribute("port", Integer.toString(port));
    Element http = child(named("protocol", LISTENER), "http");
    // Limits requests per connection, not connections: a limit would close the connections of busy clients.
    http.setAttribute("max-connections", "-1");
    http.setAttribute("timeout-seconds", "120");
    http.setAttribute("xpowered-by", "false");
    http.setAttribute("websockets-support-enabled", "false");
    http.setAttribute("http2-enabled", "false");
    http.setAttribute("trace-enabled", "false");
    // Loads the guard, which replaces the Comet add-on.
    http.setAttribute("comet-support-enabled", "true");
    // The backlog of unaccepted connections; the guard limits accepted ones.
    Element transport = all("transport").getFirst();
    transport.setAttribute("max-connections-count", "4096");
    transport.setAttribute("read-timeout-millis", "20000");
    transport.setAttribute("write-timeout-millis", "20000");
    Element pool = named("thread-pool", POOL);
    pool.setAttribute("min-thread-pool-size", "16");
    pool.setAttribute("max-thread-pool-size", "256");
    pool.setAttribute("max-queue-size", "4096");
    for (Element server : all("virtual-server")) {
      if (server.getAttribute("id").equals("server")) {
        server.setAttribute("network-listeners", LISTENER);
      } else {
        // GlassFish does not start with a virtual server whose listener is disabled.
        server.removeAttribute("network-listeners");
      }
    }
  }

  /** Disables what the service does not use: remote objects, messaging, remote management, the sample database. */
  void silence() {
    all("iiop-listener").forEach(DomainXml::remove);
    all("jmx-connector").forEach(connector -> connector.setAttribute("enabled", "false"));
    all("resource-ref").forEach(DomainXml::remove);
    for (Element resources : all("resources")) {
      while (resources.getFirstChild() != null) {
        resources.removeChild(resources.getFirstChild());
      }
    }
    Element messages = append(config, "jms-service");
    messages.setAttribute("type", "DISABLE");
    messages.setAttribute("default-jms-host", "none");
    Element host = append(messages, "jms-host");
    host.setAttribute("name", "none");
    host.setAttribute("lazy-init", "true");
    append(config, "cdi-service").setAttribute("enable-implicit-cdi", "false");
    for (Element option : all("jvm-options")) {
      // They would override those of the command line: no shell, no bundle directories to watch.
      if (option.getTextContent().contains("felix") || option.getTextContent().contains("osgi.shell")) {
        remove(option);
      }
    }
    append(child(config, "java-config"), "jvm-options").setTextContent("-Dorg.glassfish.additionalOSGiBundlesToStart=");
  }

  /** Deploys applications from {@code applications/NAME} at {@code /NAME}; GlassFish loads them at startup. */
  void deploy(Collection<String> names) {
    Element root = document.getDocumentElement();
    Element applications = document.createElement("applications");
    root.insertBefore(applications, all("resources").getFirst());
    Element server = named("server", "server");
    for (String name : names) {
      Element application = append(applications, "application");
      application.setAttribute("name", name);
      application.setAttribute("context-root", "/" + name);
      application.setAttribute("location", "${com.sun.aas.instanceRootURI}/applications/" + name + "/");
      application.setAttribute("object-type", "user");
      Element type = append(application, "property");
      type.setAttribute("name", "archiveType");
      type.setAttribute("value", "war");
      append(application, "module").setAttribute("name", name);
      Element reference = append(server, "application-ref");
      reference.setAttribute("ref", name);
      reference.setAttribute("virtual-servers", "server");
    }
  }

  void write(Path file) {
    try {
      // The platform's own: a library on the class path brings another one.
      TransformerFactory factory = TransformerFactory.newDefaultInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.newTransformer().transform(new DOMSource(document), new StreamResult(file.toFile()));
    } catch (TransformerException e) {
      throw new LocalServiceException("GlassFish's settings " + file + " cannot be written: " + e.getMessage(), e);
    }
  }

  private List<Element> all(String tag) {
    var nodes = document.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private Element named(String tag, String name) {
    return all(tag).stream()
        .filter(element -> element.getAttribute("name").equals(name))
        .findFirst()
        .orElseThrow(
            () -> new LocalServiceException("GlassFish's settings have no <" + tag + " name=\"" + name + "\">"));
  }

  private static Element child(Element parent, String tag) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(tag)) {
        return element;
      }
    }
    throw new LocalServiceException("GlassFish's settings have no <" + tag + "> in <" + parent.getTagName() + ">");
  }

  private Element append(Element parent, String tag) {
    Element element = document.createElement(tag);
    parent.appendChild(element);
    return element;
  }

  private static void remove(Element element) {
    element.getParentNode().removeChild(element);
  }
}
