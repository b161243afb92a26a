package com.acme.threads;

import dev.rondo.simulation.WorldHost;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import org.w3c.dom.Document;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.XMLReader;
import org.xml.sax.ext.DefaultHandler2;

/// Reads XML by the JDK, as a process.
public final class Parsing implements WorldHost.Main {

  private static final String TEXT = "<a><b/></a>";

  private final Consumer<String> tell;

  /// @param tell receives what was read
  public Parsing(Consumer<String> tell) {
    this.tell = tell;
  }

  private static final class Handler extends DefaultHandler2 {

    private final List<String> seen = new ArrayList<>();

    void use(XMLReader reader) {
      reader.setContentHandler(this);
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
      seen.add(name);
    }
  }

  @Override
  public void run(WorldHost host) throws Exception {
    var handler = new Handler();
    XMLReader reader = SAXParserFactory.newInstance().newSAXParser().getXMLReader();
    handler.use(reader);
    reader.parse(new InputSource(new StringReader(TEXT)));
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(TEXT)));
    tell.accept(handler.seen + " " + document.getDocumentElement().getTagName());
  }
}
