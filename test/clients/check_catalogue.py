"""Reads a catalogue as a harvester does, with rdflib, and validates it with the SHACL shapes of DCAT-AP 3.0.1.

Usage: check_catalogue.py FILE
"""
import sys
from pathlib import Path

import pyshacl
import rdflib

DCAT = rdflib.Namespace("http://www.w3.org/ns/dcat#")
shapes = rdflib.Graph()
for name in ("shapes.ttl", "range.ttl"):
    shapes.parse(Path(__file__).parent / "shacl" / name)

data = rdflib.Graph().parse(sys.argv[1], format="json-ld")
count = len(list(data.subjects(rdflib.RDF.type, DCAT.Dataset)))
conforms, _, report = pyshacl.validate(data, shacl_graph=shapes)
print(f"{len(data)} triples, {count} datasets")
if not conforms:
    print(report)
sys.exit(0 if conforms and count > 0 else 1)
