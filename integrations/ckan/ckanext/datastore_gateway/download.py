"""Downloads of tables of the gateway at CKAN's own addresses, which CKAN's pages link to."""

from __future__ import annotations

from typing import Optional

from flask import Blueprint, Response

import ckan.plugins.toolkit as tk

from ckanext.datastore_gateway import actions, gateway
from ckanext.datastore_gateway.served import is_served

blueprint = Blueprint("datastore_gateway", __name__)


@blueprint.before_app_request
def download() -> Optional[Response]:
    """Answers `/datastore/dump/ID` before CKAN, which would look for a table of its own. Streams what the gateway sends."""
    if tk.request.endpoint != "datastore.dump":
        return None
    resource_id = (tk.request.view_args or {}).get("resource_id")
    if not is_served(resource_id, is_call=True):
        return None
    try:
        actions.check("datastore_search", {}, resource_id)
        dump = gateway.download(resource_id, tk.request.query_string.decode())
    except (tk.ObjectNotFound, tk.NotAuthorized):
        tk.abort(404, tk._("DataStore resource not found"))
    headers = {name: dump.headers[name] for name in ("Content-Type", "Content-Disposition") if name in dump.headers}
    response = Response(dump.iter_content(65536), dump.status_code, headers)
    response.call_on_close(dump.close)
    return response
