"""Asks the gateway. Its answers keep all digits, and its refusals become CKAN's exceptions with the same text."""

from __future__ import annotations

import logging
import re
from typing import Any

import requests
import simplejson

import ckan.plugins.toolkit as tk

log = logging.getLogger(__name__)
session = requests.Session()

# CKAN's API adds these prefixes itself.
PREFIX = re.compile("^(Not found|Access denied): ")


def address() -> str:
    return tk.config["ckanext.datastore_gateway.url"].rstrip("/")


def options() -> dict[str, Any]:
    """The arguments of every request. A redirect is never followed, because it would take the token to another place."""
    token = tk.config["ckanext.datastore_gateway.token"]
    headers = {"Authorization": token} if token else {}
    return {"headers": headers, "timeout": tk.config["ckanext.datastore_gateway.timeout"], "allow_redirects": False}


def answer(action: str, params: dict[str, Any]) -> dict[str, Any]:
    """
    Calls an action. Raises ObjectNotFound, NotAuthorized or ValidationError.

    :returns: the whole answer: `help`, which has the gateway's public address, and `result`
    """
    body = simplejson.dumps(params, allow_nan=True)
    request = options()
    request["headers"]["Content-Type"] = "application/json"
    try:
        response = session.post(f"{address()}/api/3/action/{action}", data=body, **request)
        content = simplejson.loads(response.content, use_decimal=True)
    except (requests.RequestException, ValueError) as error:
        raise unreachable(action, error) from error
    if response.status_code != 200:
        raise refusal(response.status_code, content)
    return content


def call(action: str, params: dict[str, Any]) -> dict[str, Any]:
    """Calls an action as `answer` does. :returns: its `result`"""
    return answer(action, params)["result"]


def download(resource_id: str, query: str) -> requests.Response:
    """Begins a download. The caller closes it. Raises ObjectNotFound if the gateway cannot be reached."""
    try:
        return session.get(f"{address()}/datastore/dump/{resource_id}?{query}", stream=True, **options())
    except requests.RequestException as error:
        raise unreachable("a download", error) from error


def unreachable(what: str, error: Exception) -> Exception:
    log.warning("%s at the gateway: %s", what, error)
    return tk.ObjectNotFound("the gateway cannot be reached now, try again")


def refusal(status: int, content: Any) -> Exception:
    """
    CKAN's exception for an answer that is not a success. A failure such as 503 is an ObjectNotFound, too: CKAN's pages turn all other exceptions
    except NotAuthorized into a 500.
    """
    error = content.get("error") if isinstance(content, dict) else {"message": content}
    if not isinstance(error, dict):
        error = {"message": error}
    details = {name: value for name, value in error.items() if name != "__type"}
    text = PREFIX.sub("", str(details.get("message", "")))
    if status == 403:
        return tk.NotAuthorized(text)
    if status in (400, 405, 409, 413, 415):
        return tk.ValidationError(details)
    return tk.ObjectNotFound(text)
