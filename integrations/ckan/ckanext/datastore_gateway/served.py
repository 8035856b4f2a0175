"""Knows which resources of CKAN are tables behind the gateway. The list is kept for 30 seconds."""

from __future__ import annotations

import logging
import threading
import time
from typing import NamedTuple, Optional
from urllib.parse import quote
from uuid import NAMESPACE_URL, UUID, uuid5

from ckan.logic import ActionError

from ckanext.datastore_gateway import gateway

log = logging.getLogger(__name__)
KEEP_SECONDS = 30
# A call for an unknown id may be the first one for a new table. Ids of CKAN's own tables are unknown, too, so not every such call reads the list.
MISS_SECONDS = 1
# What JavaScript's `encodeURIComponent` leaves, beside letters and digits.
ENCODED_AS_IS = "-_.!~*'()"


class Served(NamedTuple):
    # Each id, alias and UUID → the id of its resource.
    names: dict[str, str]
    # The public address of the gateway.
    site: str
    # Whether the last reading succeeded. If not, the names before it stay: without them, an upload would create a table in CKAN.
    is_current: bool
    read_at: float


_served: Optional[Served] = None
_lock = threading.Lock()


def served(max_age: float = KEEP_SECONDS) -> Served:
    """What the gateway serves. While one thread reads the list again, the others use the old one."""
    global _served
    known = _served
    if known is not None and time.monotonic() - known.read_at <= (max_age if known.is_current else KEEP_SECONDS):
        return known
    if not _lock.acquire(blocking=known is None):
        return known
    try:
        if _served is known:
            _served = _read(known)
        return _served
    finally:
        _lock.release()


def is_served(name: object, is_call: bool = False) -> bool:
    """
    Whether this id of a CKAN resource is a table of the gateway.

    :param is_call: whether this is a call for data, which should also find a table that was published seconds ago
    """
    if not is_uuid(name):
        return False
    return name in served().names or (is_call and name in served(MISS_SECONDS).names)


def is_uuid(name: object) -> bool:
    """CKAN takes nothing else as the id of a resource."""
    try:
        return isinstance(name, str) and str(UUID(name)) == name
    except ValueError:
        return False


def _uuid(site: str, resource_id: str) -> str:
    """The id of a resource in the gateway's catalogue. Calls to the gateway may name it so, too."""
    return str(uuid5(NAMESPACE_URL, f"{site}/datastore/dump/{quote(resource_id, safe=ENCODED_AS_IS)}"))


def _read(known: Optional[Served]) -> Served:
    names: dict[str, str] = {}
    offset, total = 0, 1
    try:
        while offset < total:
            page = gateway.answer("resource_list", {"limit": 1000, "offset": offset})
            site = page["help"].split("/api/")[0]
            resources = page["result"]["resources"]
            for resource in resources:
                own = resource["id"]
                names.update(dict.fromkeys([own, *resource["aliases"], _uuid(site, own)], own))
            # The gateway may cut a page shorter than asked. The list may also have become shorter meanwhile.
            offset, total = offset + len(resources), page["result"]["total"] if resources else 0
        return Served(names, site, True, time.monotonic())
    except ActionError as error:
        log.warning("cannot list the gateway's resources: %s", error)
        return Served(known.names if known else {}, known.site if known else "", False, time.monotonic())
