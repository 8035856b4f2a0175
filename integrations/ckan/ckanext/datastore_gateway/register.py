"""`ckan datastore-gateway register`: creates resources of CKAN for tables of the gateway."""

from __future__ import annotations

from typing import Any

import click

import ckan.plugins as p
import ckan.plugins.toolkit as tk

from ckanext.datastore_gateway import gateway
from ckanext.datastore_gateway.served import is_uuid, served


@click.group("datastore-gateway", short_help="Tables behind a datastore-gateway.")
def command() -> None:
    pass


@command.command()
@click.option("--package", required=True, help="Name or id of the dataset that gets the resources.")
@click.argument("ids", nargs=-1, required=True)
def register(package: str, ids: tuple[str, ...]) -> None:
    """
    Creates a resource in CKAN for each table, by its id or alias at the gateway, with its title, description and licence, and with the views
    "Explorer" and "Table". What exists stays as it is, so the command may be repeated.
    """
    try:
        dataset = _action("package_show", id=package)
        for name in ids:
            click.echo(f"{name}: {_register(dataset, name)}")
    except (tk.ObjectNotFound, tk.NotAuthorized) as error:
        raise click.ClickException(f"{package}: {error}") from error
    except tk.ValidationError as error:
        raise click.ClickException(str(error.error_dict)) from error


def _action(name: str, /, **params: Any) -> Any:
    user = tk.get_action("get_site_user")({"ignore_auth": True}, {})["name"]
    return tk.get_action(name)({"user": user, "ignore_auth": True}, params)


def _register(dataset: dict[str, Any], name: str) -> str:
    """:returns: what was done, for people"""
    info = gateway.call("datastore_info", {"id": name, "include_fields_schema": False})
    own = info["meta"]["id"]
    # CKAN takes only a UUID, which each resource has in the gateway's catalogue.
    resource_id = next(one for one in [name, *_names(own)] if is_uuid(one))
    try:
        dataset_id = _action("resource_show", id=resource_id)["package_id"]
    except tk.ObjectNotFound:
        _create(dataset, resource_id, info)
        return f"created {resource_id}"
    if dataset_id != dataset["id"]:
        raise click.ClickException(f"{name}: {resource_id} is a resource of another dataset: {dataset_id}")
    return f"{resource_id} exists"


def _names(resource_id: str) -> list[str]:
    return [name for name, own in served(0).names.items() if own == resource_id]


def _create(dataset: dict[str, Any], resource_id: str, info: dict[str, Any]) -> None:
    licence = info["about"].get("licence")
    texts = {"name": info["title"], "description": info["description"], **({"license": licence["url"]} if licence else {})}
    _action("resource_create", id=resource_id, package_id=dataset["id"], **texts)
    views = {view["view_type"] for view in _action("resource_view_list", id=resource_id)}
    for view_type, title in _views(resource_id):
        if view_type not in views:
            _action("resource_view_create", resource_id=resource_id, view_type=view_type, title=title)


def _views(resource_id: str) -> list[tuple[str, str]]:
    explorer = ("datastore_gateway_explorer", "Explorer")
    fields = gateway.call("datastore_search", {"resource_id": resource_id, "limit": 0, "include_total": False})["fields"]
    # Without an `_id`, CKAN's table sorts by the wrong column.
    has_table = p.plugin_loaded("datatables_view") and any(field["id"] == "_id" for field in fields)
    return [explorer, ("datatables_view", "Table")] if has_table else [explorer]
