package io.rns.client;

import io.rns.xml.XmlBuffer;

/** The forms that messages of servers of other makes have. */
final class PlainForms {
  static final String RNS = "http://schemas.ogf.org/rns/2009/12/rns";
  static final String WSA = "http://www.w3.org/2005/08/addressing";
  static final String NAMING = "http://schemas.ogf.org/naming/2006/08/naming";
  static final String OLD_NAMING = "http://schemas.ggf.org/naming/2006/03/naming";
  static final String ITERATOR = "http://schemas.ogf.org/ws-iterator/2008/06/iterator";

  /** The namespace of their reference parameters. */
  static final String KEY = "urn:other:make";

  private PlainForms() {}

  /** The content of a reference. */
  static String reference(String address, String key, String metadata) {
    return "<wsa:Address>" + address.replace("&", "&amp;") + "</wsa:Address>"
        + ("<wsa:ReferenceParameters><k:Key xmlns:k='" + KEY + "'>" + key + "</k:Key></wsa:ReferenceParameters>")
        + (metadata.isEmpty() ? "" : "<wsa:Metadata>" + metadata + "</wsa:Metadata>");
  }

  /** A message with this in its body. */
  static String answerOf(String body) {
    return "<?xml version='1.0' encoding='utf-8'?>\n<soapenv:Envelope xmlns:soapenv='http://schemas.xmlsoap.org/soap/envelope/'"
        + (" xmlns:rns='" + RNS + "' xmlns:wsa='" + WSA + "' xmlns:iter='" + ITERATOR + "'")
        + " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>\n <soapenv:Header/><soapenv:Body>\n"
        + body
        + "\n</soapenv:Body></soapenv:Envelope>";
  }

  /** A fault; the code without its prefix. */
  static String fault(String code, String text, String detail) {
    return answerOf(
        "<soapenv:Fault><faultcode>soapenv:" + code + "</faultcode><faultstring>" + text + "</faultstring>"
            + "<detail>" + detail + "</detail></soapenv:Fault>");
  }

  /** The response about an item that is refused. */
  static String refusal(String name, String kind) {
    return "<rns:entry-response entry-name='" + name + "'><rns:fault xsi:type='rns:" + kind + "'>"
        + "<b:Timestamp xmlns:b='http://docs.oasis-open.org/wsrf/bf-2'>2012-03-30T00:00:00Z</b:Timestamp>"
        + ("<rns:entry-name>" + name + "</rns:entry-name></rns:fault></rns:entry-response>");
  }

  /** The name of an entry as an attribute. */
  static String attribute(String value) {
    return new XmlBuffer(16).attribute("entry-name", value).toString();
  }
}
