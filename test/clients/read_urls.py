"""Reads downloads of the table `survey` by URL, as users of each program do, and prints what each of them sees as JSON."""
import decimal
import importlib.metadata
import json
import math
import sys
import tempfile
import urllib.request

columns = ["survey_id", "title", "year", "depth", "day", "station no."]


def plain(value):
    """A value as JSON: numbers by value, dates as text, and None for all kinds of missing values."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (float, decimal.Decimal)):
        return str(round(decimal.Decimal(value), 2).normalize())
    return str(value).removesuffix(" 00:00:00")


def rows(records):
    return [[plain(record[name]) for name in columns] for record in records]


def downloaded(url):
    file = tempfile.NamedTemporaryFile(delete=False)
    with urllib.request.urlopen(url) as answer:
        file.write(answer.read())
    file.close()
    return file.name


def with_pandas(url):
    import pandas

    return rows(pandas.read_csv(url, dtype_backend="numpy_nullable").to_dict("records"))


def with_polars(url):
    import polars

    # Given a URL, polars asks for ranges, which a download does not have.
    with urllib.request.urlopen(url) as answer:
        return rows(polars.read_csv(answer, try_parse_dates=True).to_dicts())


def with_duckdb(url):
    import duckdb

    # Without its extension httpfs, DuckDB reads files only.
    of = duckdb.sql(f"SELECT * FROM read_csv('{downloaded(url)}')")
    return rows(dict(zip(of.columns, row)) for row in of.fetchall())


def with_pyarrow(url):
    import pyarrow.csv

    return rows(pyarrow.csv.read_csv(downloaded(url)).to_pylist())


def with_frictionless(url):
    import frictionless

    with frictionless.Resource(url, format="csv", encoding="utf-8") as resource:
        return rows(row.to_dict() for row in resource.row_stream)


def with_gdal(url):
    """As QGIS does with "Add Delimited Text Layer" or "Add Vector Layer" by URL."""
    import pyogrio

    # Arrow, because numpy would make doubles of whole numbers beside missing ones.
    _, table = pyogrio.raw.read_arrow(f"CSV:/vsicurl_streaming/{url}", AUTODETECT_TYPE="YES")
    return rows(table.to_pylist())


programs = {
    "pandas": with_pandas,
    "polars": with_polars,
    "duckdb": with_duckdb,
    "pyarrow": with_pyarrow,
    "frictionless": with_frictionless,
    "pyogrio": with_gdal,
}


def attempt(read, url):
    try:
        return read(url)
    except Exception as error:  # The test shows the error of each program.
        return f"{type(error).__name__}: {error}"


print(
    json.dumps(
        {
            "versions": {name: importlib.metadata.version(name) for name in programs},
            "seen": {url: {name: attempt(read, url) for name, read in programs.items()} for url in sys.argv[1:]},
        }
    )
)
