"""
Serves CKAN at a loopback port. The first start also prepares the empty databases, because loading CKAN twice would double the time.

    serve.py SETTINGS PORT

SETTINGS is a JSON file with what is usually in `ckan.ini`. Two files are written next to it: `SETTINGS.token` with the token of a sysadmin, and
`SETTINGS.ini` for CKAN's command line.
"""

import json
import os
import sys

import psycopg2
from werkzeug.serving import make_server

from ckan import logic, model
from ckan.config.middleware import make_app
from ckanext.datastore.cli import permissions_sql

file, port = sys.argv[1], int(sys.argv[2])
with open(file) as opened:
    settings = {"ckan.site_url": f"http://127.0.0.1:{port}", **json.load(opened)}
token_file = f"{file}.token"
is_first = not os.path.exists(token_file)


def write_private(name, content):
    with open(name, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened:
        opened.write(content)


# CKAN 2.11's command line demands these sections.
LOGGING = """
[loggers]
keys = root
[handlers]
keys =
[formatters]
keys =
[logger_root]
handlers =
"""


def write_ini():
    lines = [f"{name} = {value}".replace("%", "%%") for name, value in settings.items()]
    write_private(f"{file}.ini", "\n".join(["[app:main]", *lines, LOGGING]))


def prepare_datastore():
    """Does what `ckan datastore set-permissions | psql` does. CKAN refuses to start with the plugin before."""
    write = psycopg2.connect(settings["ckan.datastore.write_url"])
    names = {"maindb": "ckan", "datastoredb": "datastore", "mainuser": "postgres", "writeuser": "postgres"}
    script = permissions_sql(**names, readuser="datastore_reader").replace('\\connect "datastore"', "")
    with write, write.cursor() as cursor:
        cursor.execute(script)
    write.close()


def prepare_ckan(app):
    """Creates the tables from the models, in 0.1 s where all migrations take 1.1 s, and the token of a sysadmin."""
    model.repo.create_db()
    with app._wsgi_app.test_request_context():
        user = logic.get_action("get_site_user")({"ignore_auth": True}, {})
        params = {"user": user["name"], "name": "tests"}
        token = logic.get_action("api_token_create")({"ignore_auth": True, "user": user["name"]}, params)
    write_private(token_file, token["token"])


write_ini()
if is_first:
    prepare_datastore()
app = make_app({**settings, "__file__": file, "here": os.path.dirname(file)})
if is_first:
    prepare_ckan(app)
# Some of eight searches at once fail in CKAN with 500, so the benchmark has them answered one after another.
server = make_server("127.0.0.1", port, app, threaded=settings.get("threaded") != "no")
print("ready for connections", flush=True)
server.serve_forever()
