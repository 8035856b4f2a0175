"""The plugin `datastore_gateway`: each part that CKAN asks a plugin for, and the file that has it."""

from __future__ import annotations

from typing import Any

import ckan.plugins as p
import ckan.plugins.toolkit as tk

from ckanext.datastore_gateway import actions, download, register
from ckanext.datastore_gateway.served import is_served, served


@tk.blanket.config_declarations
class DatastoreGatewayPlugin(p.SingletonPlugin):
    p.implements(p.IConfigurer)
    p.implements(p.IActions)
    p.implements(p.IBlueprint)
    p.implements(p.IClick)
    p.implements(p.IResourceController, inherit=True)
    p.implements(p.IResourceView, inherit=True)
    p.implements(p.ITemplateHelpers)

    # IConfigurer
    def update_config(self, config: Any) -> None:
        tk.add_template_directory(config, "templates")

    # IActions
    def get_actions(self) -> dict[str, Any]:
        return actions.all_actions()

    # IBlueprint
    def get_blueprint(self) -> Any:
        return download.blueprint

    # IClick
    def get_commands(self) -> list[Any]:
        return [register.command]

    # IResourceController
    def before_resource_show(self, resource_dict: dict[str, Any]) -> dict[str, Any]:
        actions.describe(resource_dict)
        return resource_dict

    # ITemplateHelpers
    def get_helpers(self) -> dict[str, Any]:
        return {"datastore_gateway_serves": is_served, "datastore_gateway_refusal": lambda: actions.REFUSED}

    # IResourceView
    def info(self) -> dict[str, Any]:
        return {
            "name": "datastore_gateway_explorer",
            "title": "Explorer",
            "default_title": "Explorer",
            "icon": "table",
            "iframed": False,
            "preview_enabled": False,
        }

    def can_view(self, data_dict: dict[str, Any]) -> bool:
        return is_served(data_dict["resource"].get("id"))

    def setup_template_variables(self, context: Any, data_dict: dict[str, Any]) -> dict[str, Any]:
        return {"explorer": f"{served().site}/datastore/explore/{data_dict['resource']['id']}"}

    def view_template(self, context: Any, data_dict: dict[str, Any]) -> str:
        return "datastore_gateway/explorer_view.html"

    def form_template(self, context: Any, data_dict: dict[str, Any]) -> str:
        return ""
