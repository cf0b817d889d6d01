package io.rns.xml;

import com.ctc.wstx.api.ReaderConfig;
import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import com.ctc.wstx.util.DefaultXmlSymbolTable;
import com.ctc.wstx.util.SymbolTable;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import org.codehaus.stax2.XMLInputFactory2;

/**
 * Creates the parsers of messages. Parsers share no state that depends on their input. Thread-safe: immutable after
 * construction.
 */
final class ParserFactory extends WstxInputFactory {
  /**
   * Attributes of one start tag in the parser; between {@link io.rns.error.Limits#XML_ATTRIBUTES} and this value our
   * own error applies.
   */
  private static final int ATTRIBUTES = 256;

  /** Names that occur in nearly every message; every parser starts with them and adds others as it meets them. */
  private static final List<String> USUAL_NAMES =
      List.of(
          "Envelope", "Header", "Body", "Fault", "s", "soap", "soapenv", "_s", "r", "_r", "x", "_x", "ext", "a", "_a",
          "wsa", "xsi",
          "add", "addResponse", "list", "listResponse", "query", "queryResponse", "update", "updateResponse", "remove",
          "removeResponse", "batch", "batchResponse", "all-or-nothing", "EntryList", "EntryProperties", "entry",
          "entry_name", "entry_reference", "entry_parent", "entry-pattern", "entry_name_regexp", "Address",
          "ReferenceParameters", "Metadata", "EntryId", "Path", "RequestId", "Position", "Age", "Page", "Consistency",
          "Referrals", "Extensions", "start", "path", "reference", "kind", "id", "parent", "name", "version", "created",
          "modified", "entries", "metadata", "rnskv",
          "key",
          "_n", "rns", "LookupRequest", "LookupResponse", "AddRequest", "AddResponse", "entry-name", "entry-response",
          "endpoint",
          "supports-rns", "value");

  /** Immutable once filled; parsers share it until they meet another name. */
  private final SymbolTable usualNames = DefaultXmlSymbolTable.getInstance();

  ParserFactory() {
    setProperty(XMLInputFactory.IS_COALESCING, false);
    // Lazy: skipped text is checked but never copied.
    setProperty(XMLInputFactory2.P_LAZY_PARSING, true);
    setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    // Without DTD support, a document type declaration is an event, at which XmlPull stops before any entity can be
    // declared. Undeclared entities are errors; otherwise the parser replaces one in an attribute value with nothing.
    setProperty(XMLInputFactory.SUPPORT_DTD, true);
    setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, true);
    setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, ATTRIBUTES);
    // Otherwise the namespaces of all messages, of any length, are interned in one place behind one lock.
    setProperty(XMLInputFactory2.P_INTERN_NS_URIS, false);
    USUAL_NAMES.forEach(usualNames::findSymbol);
  }

  /** Not the library's table, which contains every name read in this process. */
  @Override
  public ReaderConfig createPrivateConfig() {
    return getConfig().createNonShared(usualNames.makeChild());
  }

  /** Discards the names of a message: otherwise names chosen to collide would slow down later messages. */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // intentionally empty
  public void updateSymbolTable(SymbolTable names) {}
}
