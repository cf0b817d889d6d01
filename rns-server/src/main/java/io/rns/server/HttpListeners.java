package io.rns.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.xml.sax.SAXException;

/** Where an application server listens for requests: GlassFish does not report that to an application. */
final class HttpListeners {
  private static final String OF_SERVER =
      "/domain/configs/config[@name = /domain/servers/server[@name = $server]/@config-ref]"
          + "//network-listener[not(@enabled = 'false') and @name != 'admin-listener']";
  private static final String ON_LOOPBACK =
      OF_SERVER + " and not(" + OF_SERVER
          + "[not(@address = '127.0.0.1' or @address = 'localhost' or @address = '::1')])";

  private HttpListeners() {}

  /**
   * Whether all listeners of GlassFish for applications are on loopback; false if that cannot be known.
   *
   * @param settings the file domain.xml, which another application server need not have
   * @param server the name of the GlassFish instance in it
   */
  static boolean areOnLoopback(Path settings, String server) {
    if (!Files.isReadable(settings)) {
      return false;
    }
    try {
      DocumentBuilderFactory documents = DocumentBuilderFactory.newDefaultInstance();
      documents.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      XPath path = XPathFactory.newDefaultInstance().newXPath();
      path.setXPathVariableResolver(name -> server);
      return path.evaluateExpression(
          ON_LOOPBACK, documents.newDocumentBuilder().parse(settings.toFile()), Boolean.class);
    } catch (ParserConfigurationException | SAXException | IOException | XPathExpressionException e) {
      return false;
    }
  }
}
