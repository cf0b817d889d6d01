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
 * Makes the parsers of messages, which remember nothing of what they read. Thread-safe: nothing changes once it is
 * made.
 */
final class ParserFactory extends WstxInputFactory {
  /**
   * What a parser takes of one start tag; between {@link io.rns.error.Limits#XML_ATTRIBUTES} and this the error is
   * ours.
   */
  private static final int ATTRIBUTES = 256;

  /** Names of nearly every message, with which a parser begins; it makes others as it meets them. */
  private static final List<String> USUAL_NAMES =
      List.of(
          "Envelope", "Header", "Body", "Fault", "s", "soap", "_s", "r", "_r", "x", "_x", "a", "_a", "wsa", "xsi",
          "add", "addResponse", "list", "listResponse", "query", "queryResponse", "update", "updateResponse", "remove",
          "removeResponse", "batch", "batchResponse", "all-or-nothing", "EntryList", "EntryProperties", "entry",
          "entry_name", "entry_reference", "entry_parent", "entry-pattern", "entry_name_regexp", "Address",
          "ReferenceParameters", "Metadata", "EntryId", "Path", "RequestId", "Position", "Page", "Extensions", "start",
          "path", "kind", "id", "parent", "name", "version", "created", "modified", "entries", "metadata", "rnskv",
          "key",
          "_n", "rns", "LookupRequest", "LookupResponse", "AddRequest", "AddResponse", "entry-name", "entry-response",
          "endpoint",
          "supports-rns", "value");

  /** Never changed once it is filled; parsers share it until they meet another name. */
  private final SymbolTable usualNames = DefaultXmlSymbolTable.getInstance();

  ParserFactory() {
    setProperty(XMLInputFactory.IS_COALESCING, false);
    // Text is decoded when it is asked for: what is passed over is checked, but never copied.
    setProperty(XMLInputFactory2.P_LAZY_PARSING, true);
    setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    // A declaration of a document type is then an event, at which we stop before it is read: no entity can be declared.
    // And
    // an entity is then an error; else the parser reads one in an attribute value as nothing.
    setProperty(XMLInputFactory.SUPPORT_DTD, true);
    setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, true);
    setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, ATTRIBUTES);
    // Else the namespaces of all messages, of any length, are kept in one place, behind one lock.
    setProperty(XMLInputFactory2.P_INTERN_NS_URIS, false);
    USUAL_NAMES.forEach(usualNames::findSymbol);
  }

  /** Not with the names of the library, which are those of all that was read in this process. */
  @Override
  public ReaderConfig createPrivateConfig() {
    return getConfig().createNonShared(usualNames.makeChild());
  }

  /**
   * Names of a message do not outlive it, anywhere: others would be read the slower for names that are made to collide.
   */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // nothing is done
  public void updateSymbolTable(SymbolTable names) {}
}
