package io.rns.client;

import io.rns.xml.XmlBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/** The request that carries a message. */
final class HttpPost extends BasicClassicHttpRequest {
  private static final String SOAP_11_TYPE = "text/xml; charset=utf-8";

  HttpPost(URI uri, XmlBuffer message) {
    super("POST", uri.getRawPath());
    addHeader(HttpHeaders.HOST, uri.getRawAuthority());
    addHeader(HttpHeaders.CONTENT_TYPE, SOAP_11_TYPE);
    addHeader("SOAPAction", "\"\"");
    addHeader(HttpHeaders.CONTENT_LENGTH, message.length());
    setEntity(new Message(message));
  }

  /** The buffer as it is, without a copy. */
  private static final class Message extends AbstractHttpEntity {
    private final XmlBuffer message;

    Message(XmlBuffer message) {
      super(SOAP_11_TYPE, null);
      this.message = message;
    }

    @Override
    public long getContentLength() {
      return message.length();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      message.writeTo(out);
    }

    @Override
    public InputStream getContent() {
      throw new UnsupportedOperationException("a message is only written");
    }

    @Override
    public boolean isStreaming() {
      return false;
    }

    @Override
    public void close() {
      // holds nothing
    }
  }
}
