"""CKAN's DataStore actions for tables of the gateway: CKAN decides who may, and the gateway answers. All other resources stay with CKAN."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Callable, Optional

import ckan.plugins as p
import ckan.plugins.toolkit as tk
from ckan import authz, model
from ckan.logic.action import create, update
from ckan.types import Action, Context

from ckanext.datastore.logic import action as datastore
from ckanext.datastore_gateway import gateway
from ckanext.datastore_gateway.served import Served, is_served, is_uuid, served

REFUSED = (
    "This resource is a table behind the gateway, so CKAN can neither load, change nor drop it: its columns and its dictionary come from there."
)

READS = ("datastore_search", "datastore_info", "datastore_search_sql")


def all_actions() -> dict[str, Action]:
    """The actions of the plugin. CKAN does not start with a chained action whose original belongs to a plugin that is not loaded."""
    changed = {
        "datastore_search": _own(partial(_ask, "datastore_search")),
        "datastore_info": _own(_describe_table),
        "datastore_upsert": _own(partial(_ask, "datastore_upsert")),
        "datastore_records_delete": _own(partial(_ask, "datastore_records_delete")),
        "datastore_delete": _own(_delete),
        "datastore_create": _refuse,
        "datastore_run_triggers": _refuse,
        "package_create": _save_package,
        "package_update": _save_package,
        **({"datastore_search_sql": _select} if tk.asbool(tk.config.get("ckan.datastore.sqlsearch.enabled")) else {}),
        **({"xloader_submit": _refuse} if p.plugin_loaded("xloader") else {}),
        **({"datapusher_submit": _refuse} if p.plugin_loaded("datapusher") else {}),
    }
    return {name: _chained(name, action) for name, action in changed.items()} | {"datastore_aggregate": datastore_aggregate}


def _chained(name: str, action: Callable[..., Any]) -> Action:
    def chained(original: Action, context: Context, data_dict: dict[str, Any]):
        return action(original, context, data_dict)

    chained.side_effect_free = name in READS
    # `check_access` is called for our own resources only, so CKAN's audit of it would fail for all others.
    chained.auth_audit_exempt = True
    for module in (datastore, create, update):
        # CKAN wraps the function in a `functools.partial` and copies its `__dict__`. Without this entry, its help would be that of `partial`.
        if hasattr(module, name):
            chained.__dict__["__doc__"] = getattr(module, name).__doc__
    return tk.chained_action(chained)


def _own(answer: Callable[[Context, dict[str, Any]], Any]) -> Callable[..., Any]:
    """An action that `answer` answers for tables of the gateway, and CKAN for all other resources."""

    def action(original: Action, context: Context, data_dict: dict[str, Any]):
        is_own = is_served(_resource_id(data_dict), is_call=True)
        return answer(context, data_dict) if is_own else original(context, data_dict)

    return action


def _resource_id(data_dict: dict[str, Any]) -> Any:
    return data_dict.get("id") or data_dict.get("resource_id")


def check(action: str, context: Context, resource_id: str) -> None:
    """Raises NotAuthorized if the user may not, and ObjectNotFound if there is no such resource in CKAN."""
    tk.check_access(action, context, {"id": resource_id, "resource_id": resource_id})
    if not _exists(resource_id):
        raise tk.ObjectNotFound(f'Resource "{resource_id}" was not found.')


def _ask(action: str, context: Context, data_dict: dict[str, Any], auth: Optional[str] = None) -> dict[str, Any]:
    """Asks the gateway, after CKAN has allowed the action, or the one that `auth` names."""
    resource_id = _resource_id(data_dict)
    check(auth or action, context, resource_id)
    params = {**data_dict, "resource_id": resource_id}
    # The gateway prefers `id` to `resource_id`, which is the one that has been checked.
    params.pop("id", None)
    return gateway.call(action, params)


def _describe_table(context: Context, data_dict: dict[str, Any]):
    info = _ask("datastore_info", context, data_dict)
    # These members show the rights of CKAN's token at the gateway, not those of this user.
    return {name: value for name, value in info.items() if name not in ("may", "access", "references", "referenced_by")}


@tk.side_effect_free
def datastore_aggregate(context: Context, data_dict: dict[str, Any]):
    """Counts and measures in groups, for tables behind the gateway only. Its API reference has the parameters."""
    resource_id = _resource_id(data_dict)
    if not is_served(resource_id, is_call=True):
        raise tk.ObjectNotFound(f'Resource "{resource_id}" is not a table behind the gateway.')
    return _ask("datastore_aggregate", context, data_dict, auth="datastore_search")


def _delete(context: Context, data_dict: dict[str, Any]):
    if data_dict.get("filters") is None:
        raise tk.ValidationError({"resource_id": [REFUSED]})
    return _ask("datastore_delete", context, data_dict)


def _refuse(original: Action, context: Context, data_dict: dict[str, Any]):
    # These actions know no `id`: the resource is always the one in `resource_id`.
    if is_served(data_dict.get("resource_id"), is_call=True):
        raise tk.ValidationError({"resource_id": [REFUSED]})
    return original(context, data_dict)


def _select(original: Action, context: Context, data_dict: dict[str, Any]):
    sql = data_dict.get("sql")
    text = sql.lower() if isinstance(sql, str) else ""
    if not any(is_uuid(name) for name in _named(text, served())):
        return original(context, data_dict)
    # Read the list again, because the gateway also answers for a table that was published a second ago.
    now = served(0)
    named = _named(text, now)
    tables = {name for name in named if is_uuid(name)}
    own = {now.names[name] for name in tables}
    # CKAN can only decide on its own ids. Where a word might name another table of the gateway, even in an escape, the statement is refused.
    others = sorted(name for name in named if now.names[name] not in own)
    if others or re.search("u&[\"']", text):
        raise tk.ValidationError({"sql": [f"Name tables by their ids in CKAN only, got: {', '.join(others) or 'U&'}"]})
    tk.check_access("datastore_search_sql", Context(context, table_names=sorted(tables)), data_dict)
    for name in tables:
        check("datastore_search", Context(context), name)
    return gateway.call("datastore_search_sql", data_dict)


def _named(text: str, now: Served) -> set[str]:
    """The names of the gateway that occur in a statement in lower case, as a table or as any other word."""

    def occurs(name: str) -> bool:
        word = re.escape(name.lower().replace('"', '""'))
        # A name goes on after `-`, as in a UUID, unless the `-` begins a comment.
        return re.search(rf"(?<![\w-]){word}(?!\w|-(?!-))", text) is not None

    return {name for name in now.names if occurs(name)}


def _save_package(original: Action, context: Context, data_dict: dict[str, Any]):
    """
    Stores neither `datastore_active` nor our address from `describe`, so that a resource shows no data once its table has left the gateway. Lets only
    sysadmins create a resource for a table: CKAN takes free ids from anybody who may create a dataset, who could then read the table with CKAN's token.
    """
    resources = data_dict.get("resources")
    for resource in resources if isinstance(resources, list) else []:
        if not isinstance(resource, dict) or not is_served(resource.get("id")):
            continue
        if not _exists(resource["id"]) and not context.get("ignore_auth") and not authz.is_sysadmin(context.get("user")):
            raise tk.ValidationError({"id": ["Only a sysadmin can add a resource for this table, see `ckan datastore-gateway register`."]})
        resource.pop("datastore_active", None)
        if resource.get("url") == download_address(resource["id"]):
            resource["url"] = ""
    return original(context, data_dict)


def _exists(resource_id: str) -> bool:
    resource = model.Resource.get(resource_id)
    return resource is not None and resource.state == model.State.ACTIVE


def download_address(resource_id: str) -> str:
    return tk.url_for("datastore.dump", resource_id=resource_id, qualified=True)


def describe(resource: dict[str, Any]) -> None:
    """Adds what makes CKAN's pages show the data."""
    if not is_served(resource.get("id")):
        return
    # While the gateway cannot be reached, pages show the resource without its data.
    resource["datastore_active"] = served().is_current
    resource["url"] = resource.get("url") or download_address(resource["id"])
    resource["format"] = resource.get("format") or "CSV"
