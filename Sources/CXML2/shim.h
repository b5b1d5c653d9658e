#ifndef HPD_CXML2_SHIM_H
#define HPD_CXML2_SHIM_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdbool.h>
#include <stddef.h>

// A document's events, as they are read. Equal names have the same address while it is read, but
// not afterwards. Attributes come in fives: name, prefix, namespace, start and end of the value.
typedef struct {
  void (*start)(void *context, const unsigned char *name, int count,
                const unsigned char **attributes, int line);
  void (*end)(void *context, int line);
  void (*text)(void *context, const unsigned char *start, int count);
  // What libxml2 says is wrong; its text ends with a newline.
  void (*fault)(void *context, const char *message, int line);
  // A document type; nothing that it declares is read.
  void (*doctype)(void *context, int line);
} hp_xml_events;

typedef struct {
  const hp_xml_events *events;
  void *context;
  xmlParserCtxtPtr parser;
} hp_xml;

static inline int hp_xml_line(const hp_xml *xml) {
  return xml->parser && xml->parser->input ? xml->parser->input->line : 0;
}

static inline void hp_xml_start(void *data, const xmlChar *name, const xmlChar *prefix,
                                const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
                                int n_attributes, int n_defaulted, const xmlChar **attributes) {
  hp_xml *xml = data;
  (void)prefix, (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
  xml->events->start(xml->context, name, n_attributes, attributes, hp_xml_line(xml));
}

static inline void hp_xml_end(void *data, const xmlChar *name, const xmlChar *prefix,
                              const xmlChar *uri) {
  hp_xml *xml = data;
  (void)name, (void)prefix, (void)uri;
  xml->events->end(xml->context, hp_xml_line(xml));
}

static inline void hp_xml_text(void *data, const xmlChar *start, int count) {
  hp_xml *xml = data;
  xml->events->text(xml->context, start, count);
}

static inline void hp_xml_doctype(void *data, const xmlChar *name, const xmlChar *external,
                                  const xmlChar *system) {
  hp_xml *xml = data;
  (void)name, (void)external, (void)system;
  xml->events->doctype(xml->context, hp_xml_line(xml));
  xmlStopParser(xml->parser);
}

#if LIBXML_VERSION >= 21200
static inline void hp_xml_fault(void *data, const xmlError *fault) {
#else
static inline void hp_xml_fault(void *data, xmlErrorPtr fault) {
#endif
  hp_xml *xml = data;
  if (fault->level < XML_ERR_ERROR) return;
  xml->events->fault(xml->context, fault->message ? fault->message : "", fault->line);
}

// Reads a whole document in UTF-8: no network, no other files, no document type. Returns false
// without memory; all other faults are events.
static inline bool hp_xml_read(hp_xml *xml, const char *start, int count,
                               const hp_xml_events *events, void *context) {
  xml->events = events;
  xml->context = context;
  xml->parser = xmlCreateMemoryParserCtxt(start, count);
  if (!xml->parser) return false;
  xmlSAXHandler none = {0};
  *xml->parser->sax = none;
  xml->parser->sax->initialized = XML_SAX2_MAGIC;
  xml->parser->sax->startElementNs = hp_xml_start;
  xml->parser->sax->endElementNs = hp_xml_end;
  xml->parser->sax->characters = hp_xml_text;
  xml->parser->sax->cdataBlock = hp_xml_text;
  xml->parser->sax->internalSubset = hp_xml_doctype;
  xml->parser->sax->serror = hp_xml_fault;
  xml->parser->userData = xml;
  // NOENT: "&amp;" comes as one character; other entities would need a document type. IGNORE_ENC:
  // whatever the file says of its encoding, it is held to UTF-8 and nothing is converted.
  xmlCtxtUseOptions(xml->parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
  // What is raised below the parser would go to standard error.
  xmlSetStructuredErrorFunc(xml, hp_xml_fault);
  xmlParseDocument(xml->parser);
  xmlSetStructuredErrorFunc(NULL, NULL);
  xmlFreeParserCtxt(xml->parser);
  xml->parser = NULL;
  return true;
}

// Ends reading at once; from an event.
static inline void hp_xml_stop(hp_xml *xml) { xmlStopParser(xml->parser); }

#endif
