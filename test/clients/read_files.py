"""Reads a downloaded file with independent readers, and prints what each of them sees as JSON."""
import datetime
import json
import sys

def cell(value):
    if isinstance(value, datetime.datetime):
        return {"at": value.isoformat(sep=" ", timespec="milliseconds")}
    if isinstance(value, datetime.date):
        return {"at": f"{value.isoformat()} 00:00:00.000"}
    if isinstance(value, datetime.time):
        return {"seconds": value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6}
    if isinstance(value, datetime.timedelta):
        return {"seconds": value.total_seconds()}
    return None if value == "" else value

def sheets(names, rows_of):
    return {name: [[cell(value) for value in row] for row in rows_of(name)] for name in names}

def workbook(path):
    import openpyxl
    from openpyxl.utils.escape import unescape
    from python_calamine import CalamineWorkbook

    book = openpyxl.load_workbook(path)
    formulas = [c.coordinate for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "f"]
    other = CalamineWorkbook.from_path(path)

    # openpyxl leaves the escapes of control characters to its caller.
    def row(values):
        return [unescape(value) if isinstance(value, str) else value for value in values]

    return {
        "openpyxl": sheets(book.sheetnames, lambda name: map(row, book[name].iter_rows(values_only=True))),
        "calamine": sheets(other.sheet_names, lambda name: other.get_sheet_by_name(name).to_python()),
        "formulas": formulas,
    }

def parquet(path):
    import duckdb
    import pyarrow.parquet

    duckdb.sql("SET TimeZone = 'UTC'")

    def texts(of):
        return [list(row) for row in duckdb.sql(f"SELECT CAST(COLUMNS(*) AS varchar) FROM {of}").fetchall()]

    arrow = pyarrow.parquet.read_table(path)
    duckdb.register("arrow", arrow)
    return {
        "duckdb": texts(f"'{path}'"),
        # Arrow reads the file, and DuckDB only prints what it has read.
        "pyarrow": texts("arrow"),
        "types": [row[1] for row in duckdb.sql(f"DESCRIBE FROM '{path}'").fetchall()],
        "arrow_types": [str(field.type) for field in arrow.schema],
        "footer": {key.decode(): value.decode() for key, value in (arrow.schema.metadata or {}).items()},
    }


def features(path):
    import struct

    import pyogrio

    meta, _, points, values = pyogrio.raw.read(path)
    point = struct.Struct("<BIdd")
    return {
        "crs": meta["crs"],
        "points": [None if one is None else point.unpack(one)[2:] for one in points],
        "fields": {name: [str(value) for value in column] for name, column in zip(meta["fields"], values)},
    }


readers = {"xlsx": workbook, "parquet": parquet, "geojson": features}
print(json.dumps(readers[sys.argv[1]](sys.argv[2])))
