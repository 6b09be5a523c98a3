package io.leasehold.it.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The driver versions that the POMs of this project name. */
final class Poms {
  private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

  private final Element root;
  private final Map<String, String> properties;

  private Poms(Element root, Map<String, String> properties) {
    this.root = root;
    this.properties = properties;
  }

  /** A POM with its own properties and those of the POMs above it, the topmost first. */
  static Poms read(Path... lineage) throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    Element last = null;
    for (Path pom : lineage) {
      last = parse(pom);
      for (Element block : children(last, "properties")) {
        children(block).forEach(each -> properties.put(each.getTagName(), text(each)));
      }
    }
    if (last == null) {
      throw new IllegalArgumentException("no POM");
    }
    return new Poms(last, properties);
  }

  private static Element parse(Path pom) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(pom.toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(pom.toString(), e);
    }
  }

  /** The value of a property; empty if there is none. */
  String property(String name) {
    return resolved("${" + name + "}");
  }

  /** The folders of the modules. */
  List<String> modules() {
    return children(root, "modules").stream()
        .flatMap(modules -> children(modules, "module").stream())
        .map(Poms::text)
        .toList();
  }

  /** The BOMs that are imported, as {@code group:artifact:version}. */
  List<String> boms() {
    return children(root, "dependencyManagement").stream()
        .flatMap(block -> children(block, "dependencies").stream())
        .flatMap(block -> children(block, "dependency").stream())
        .filter(dependency -> value(dependency, "scope").equals("import"))
        .map(
            dependency ->
                String.join(
                    ":",
                    value(dependency, "groupId"),
                    value(dependency, "artifactId"),
                    resolved(value(dependency, "version"))))
        .toList();
  }

  private String resolved(String text) {
    Matcher matcher = PROPERTY.matcher(text);
    return matcher.find()
        ? resolved(matcher.replaceFirst(Matcher.quoteReplacement(property(matcher))))
        : text;
  }

  private String property(Matcher matcher) {
    return properties.getOrDefault(matcher.group(1), "");
  }

  private static String value(Element of, String name) {
    return children(of, name).stream().map(Poms::text).findFirst().orElse("");
  }

  private static String text(Element element) {
    return element.getTextContent().strip();
  }

  private static List<Element> children(Element of, String name) {
    return children(of).filter(child -> child.getTagName().equals(name)).toList();
  }

  private static Stream<Element> children(Element of) {
    List<Element> all = new ArrayList<>();
    for (Node each = of.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element child) {
        all.add(child);
      }
    }
    return all.stream();
  }
}
