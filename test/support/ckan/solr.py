"""
A stand-in for Solr, which CKAN requires and no package registry offers: the only stub of this project. It keeps CKAN's index documents in memory and
knows just enough of the query language for CKAN's pages and API: `field:value`, `*`, phrases, parentheses, AND, OR, NOT, + and -. It does not rank,
sort or stem and takes every range as matching, so a test must not rely on what a search finds by text.

    solr.py PORT
"""

import json
import re
import sys
import xml.etree.ElementTree as xml
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

documents = {}
# The schema that CKAN 2.11 and 2.12 accept.
SCHEMA = b'<schema name="ckan-2.11" version="1.6"></schema>'


def values(document, field):
    value = document.get(field, [])
    return value if isinstance(value, list) else [value]


def matches(document, query):
    """Whether a document matches a query in Lucene's syntax."""
    query = re.sub(r"\bNOT\s+", "-", query)
    tokens = re.findall(r'[-+]?[\w.]+:|[-+]?"[^"]*"|[()]|[-+](?=\()|\[[^\]]*\]|[^\s()]+', query)

    def level(field):
        results, any_of = [], False
        while tokens and (token := tokens.pop(0)) != ")":
            any_of |= token == "OR"
            if token not in ("AND", "OR"):
                results.append(clause(token, field))
        return any(results) if any_of else all(results)

    def clause(token, field):
        negated, token = token.startswith("-"), token.lstrip("+-")
        if token.endswith(":"):
            result = clause(tokens.pop(0), token[:-1]) if tokens else True
        elif token in ("", "("):
            if token == "":
                tokens.pop(0)
            result = level(field)
        elif token in ("*", "*:*") or token.startswith("["):
            result = True
        elif field is None:
            result = token.strip('"').lower() in json.dumps(document).lower()
        else:
            result = token.strip('"') in values(document, field)
        return result != negated

    return level(None)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if url.path.endswith("/schema"):
            return self.answer(SCHEMA)
        if "/update" in url.path:
            self.update(body)
            return self.answer(b'{"responseHeader": {"status": 0}}')
        return self.answer(json.dumps(self.search(parse_qs(url.query or body))).encode())

    do_POST = do_GET

    def update(self, body):
        if body.startswith("["):
            documents.update({document["index_id"]: document for document in json.loads(body)})
            return
        for query in xml.fromstring(body).iter("query"):
            for key in [key for key, document in documents.items() if matches(document, query.text)]:
                del documents[key]

    def search(self, params):
        conditions = [*params.get("q", ["*:*"]), *params.get("fq", [])]
        found = [document for document in list(documents.values()) if all(matches(document, c) for c in conditions)]
        start, rows = (int(params.get(name, [default])[0]) for name, default in (("start", 0), ("rows", 10)))
        fields = [re.sub(r"^\{.*?\}", "", field) for field in params.get("facet.field", [])]
        counts = {field: Counter(value for document in found for value in values(document, field)) for field in fields}
        facets = {field: [part for pair in counted.items() for part in pair] for field, counted in counts.items()}
        response = {"numFound": len(found), "start": start, "docs": found[start : start + rows]}
        return {"response": response, "facet_counts": {"facet_queries": {}, "facet_fields": facets}}

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("ready for connections", flush=True)
server.serve_forever()
