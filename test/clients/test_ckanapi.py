"""What users of ckanapi do, from Python and from its command line. Run by ckanapi.client.ts."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import pytest
from ckanapi import RemoteCKAN
from ckanapi.datapackage import create_datapackage, populate_datastore_res_fields
from ckanapi.errors import CKANAPIError, NotAuthorized, NotFound, ValidationError

URL = os.environ["GATEWAY_URL"]
TOKEN = os.environ["GATEWAY_TOKEN"]
BIG = 9007199254740993


@pytest.fixture(params=os.environ["ENGINES"].split(","))
def engine(request):
    return request.param


@pytest.fixture
def surveys(engine):
    return f"surveys_{engine}"


@pytest.fixture
def closed(engine):
    return f"closed_{engine}"


@pytest.fixture
def site():
    with RemoteCKAN(URL, apikey=TOKEN, user_agent="test") as remote:
        yield remote


@pytest.fixture
def scratch(engine, site):
    """A table of which this test alone knows the records."""
    name = f"scratch_{engine}"
    site.action.datastore_records_delete(resource_id=name, filters={"stage": "ckanapi"})
    return name


def titles(result):
    return [record["title"] for record in result["records"]]


class TestSearch:
    def test_the_examples_of_the_dialog(self, site, surveys):
        found = site.action.datastore_search(resource_id=surveys, limit=5, q="jones")
        assert titles(found) == ["Jones Creek", "Jones & Smith = 1+1"]
        found = site.action.datastore_search(
            resource_id=surveys, filters={"subject": ["watershed", "survey"], "stage": "active"}
        )
        assert (titles(found), found["total"]) == (["Jones Creek", "Jones & Smith = 1+1"], 2)

    def test_no_digit_is_lost(self, site, surveys):
        found = site.action.datastore_search(resource_id=surveys, filters={"station no.": BIG})
        assert found["records"][0]["station no."] == BIG

    def test_by_get(self, surveys):
        site = RemoteCKAN(URL, apikey=TOKEN, get_only=True)
        found = site.action.datastore_search(
            resource_id=surveys, fields=["title", "day"], q="Größer", sort="title desc", limit=3
        )
        assert found["records"] == [{"title": "Größer als 50%", "day": "2012-02-29"}]

    def test_a_dict_cannot_travel_in_a_get(self, surveys):
        site = RemoteCKAN(URL, get_only=True)
        with pytest.raises(ValidationError) as refused:
            site.action.datastore_search(resource_id=surveys, filters={"stage": "active"})
        says = 'Cannot parse JSON: must be an object such as {"name": "value"}, got: stage'
        assert refused.value.error_dict["filters"] == [says]
        found = site.action.datastore_search(resource_id=surveys, filters=json.dumps({"stage": "closed"}))
        assert titles(found) == ["Größer als 50%"]

    def test_all_pages(self, site, surveys):
        found, offset = [], 0
        while page := titles(site.action.datastore_search(resource_id=surveys, limit=3, offset=offset)):
            found += page
            offset += 3
        assert len(found) == len(set(found)) == 4

    @pytest.mark.parametrize("sort", ["_id", "depth desc, title"])
    def test_next_page(self, site, surveys, sort):
        call = {"resource_id": surveys, "sort": sort, "limit": 1, "include_next_page": True}
        found, filters, after = [], {}, {}
        for _ in range(9):
            page = site.action.datastore_search(**call, filters=filters, **after)
            found += titles(page)
            if "next_page" not in page:
                break
            if "after" in page["next_page"]:
                after = page["next_page"]
            else:
                filters = {**filters, **page["next_page"]}
        assert found == titles(site.action.datastore_search(resource_id=surveys, sort=sort))


class TestProbes:
    def test_the_site(self, site):
        assert site.action.status_show()["ckan_version"].startswith("2.")
        assert "records" in site.action.help_show(name="datastore_search")
        with pytest.raises(NotFound):
            site.action.help_show(name="package_create")

    def test_a_resource(self, site, surveys):
        info = site.action.datastore_info(id=surveys)
        assert info["meta"]["count"] == 4
        assert [field["id"] for field in info["fields"]][-1] == "station no."
        assert site.action.resource_show(id=surveys)["datastore_active"] is True

    def test_what_is_private_stays_so(self, closed):
        site = RemoteCKAN(URL)
        for action in (site.action.datastore_info, site.action.resource_show):
            with pytest.raises(NotAuthorized):
                action(id=closed)


class TestWrite:
    def test_insert_update_delete(self, site, scratch):
        records = [{"title": f"t{i}", "stage": "ckanapi", "station no.": BIG + i} for i in range(3)]
        site.action.datastore_upsert(resource_id=scratch, method="insert", records=records)
        mine = {"stage": "ckanapi"}
        stored = site.action.datastore_search(resource_id=scratch, filters=mine)["records"]
        assert [(r["title"], r["station no."]) for r in stored] == [(f"t{i}", BIG + i) for i in range(3)]
        change = [{"survey_id": stored[1]["survey_id"], "title": "changed é"}]
        site.action.datastore_upsert(resource_id=scratch, records=change)
        assert titles(site.action.datastore_search(resource_id=scratch, filters=mine)) == ["t0", "changed é", "t2"]
        site.action.datastore_records_delete(resource_id=scratch, filters={**mine, "title": ["t0", "t2"]})
        assert titles(site.action.datastore_search(resource_id=scratch, filters=mine)) == ["changed é"]

    def test_all_or_nothing(self, site, scratch):
        records = [{"title": "good", "stage": "ckanapi"}, {"title": "bad", "stage": "ckanapi", "day": "yesterday"}]
        with pytest.raises(ValidationError) as refused:
            site.action.datastore_upsert(resource_id=scratch, method="insert", records=records)
        assert refused.value.error_dict["records_row"] == 1
        assert site.action.datastore_search(resource_id=scratch, filters={"stage": "ckanapi"})["total"] == 0

    def test_not_by_get(self, scratch):
        with pytest.raises(CKANAPIError, match="Please use POST"):
            RemoteCKAN(URL, apikey=TOKEN, get_only=True).action.datastore_upsert(resource_id=scratch)


class TestRefusals:
    def test_not_found(self, site):
        with pytest.raises(NotFound) as refused:
            site.action.datastore_search(resource_id="nothing")
        assert refused.value.extra_msg == 'Resource "nothing" was not found.'

    @pytest.mark.parametrize("apikey", [None, "wrong"])
    def test_not_authorized(self, apikey, closed, scratch):
        site = RemoteCKAN(URL, apikey=apikey)
        with pytest.raises(NotAuthorized):
            site.action.datastore_search(resource_id=closed)
        with pytest.raises(NotAuthorized):
            site.action.datastore_upsert(resource_id=scratch, records=[])

    def test_validation(self, site, surveys):
        with pytest.raises(ValidationError) as refused:
            site.action.datastore_search(resource_id=surveys, limit="many", filters={"nope": 1})
        assert refused.value.error_dict == {
            "__type": "Validation Error",
            "limit": ["Invalid integer", "Please enter an integer value"],
        }

    def test_unknown_action(self, site):
        with pytest.raises(CKANAPIError, match="Action name not known: package_create_all"):
            site.action.package_create_all()

    def test_a_file_is_not_a_parameter(self, site, scratch):
        with pytest.raises(CKANAPIError, match="files are not accepted"):
            site.action.datastore_upsert(resource_id=scratch, upload=io.BytesIO(b"title\nx"))


def test_a_dump_to_a_data_package(site, surveys):
    resource = site.action.resource_show(id=surveys)
    populate_datastore_res_fields(site, resource)
    with tempfile.TemporaryDirectory() as folder:
        dataset = {"name": "all", "resources": [resource]}
        _, package, _ = create_datapackage(dataset, folder, sys.stderr, TOKEN)
        written = package["resources"][0]
        with open(os.path.join(folder, "all", written["path"]), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    assert [row["title"] for row in rows] == ["Jones Creek", "Jones & Smith = 1+1", "Größer als 50%", 'O\'Hara "quoted"']
    assert rows[0]["station no."] == str(BIG)
    fields = {field["name"]: field for field in written["schema"]["fields"]}
    assert list(fields) == ["survey_id", "title", "subject", "stage", "year", "depth", "day", "station no."]
    assert fields["stage"] == {"name": "stage", "type": "string", "title": "Stage", "description": "of the survey"}
    assert fields["depth"]["type"] == "number"


class TestCommandLine:
    @staticmethod
    def ckanapi(*args, said=None):
        program = os.path.join(os.path.dirname(sys.executable), "ckanapi")
        return subprocess.run([program, *args], input=said, capture_output=True, text=True, timeout=30)

    def test_search(self, surveys):
        for get in ([], ["-g"]):
            done = self.ckanapi(
                "action", "datastore_search", f"resource_id={surveys}", "q=creek", "limit:1", "-j", "-r", URL, *get
            )
            assert titles(json.loads(done.stdout)) == ["Jones Creek"], done.stderr

    def test_write_what_comes_by_standard_input(self, scratch, site):
        call = {"resource_id": scratch, "method": "insert", "records": [{"title": "piped", "stage": "ckanapi"}]}
        done = self.ckanapi("action", "datastore_upsert", "-i", "-r", URL, "-a", TOKEN, said=json.dumps(call))
        assert done.returncode == 0, done.stderr
        assert titles(site.action.datastore_search(resource_id=scratch, filters={"stage": "ckanapi"})) == ["piped"]

    def test_batch(self, scratch, site):
        lines = [
            {"action": "datastore_upsert", "data": {
                "resource_id": scratch, "method": "insert", "records": [{"title": f"b{i}", "stage": "ckanapi"}]}}
            for i in range(3)
        ]
        calls = "".join(json.dumps(line) + "\n" for line in lines)
        done = self.ckanapi("batch", "-r", URL, "-a", TOKEN, said=calls)
        assert done.returncode == 0, done.stderr
        found = site.action.datastore_search(resource_id=scratch, filters={"stage": "ckanapi"})
        assert titles(found) == ["b0", "b1", "b2"]

    def test_refusal(self, surveys):
        done = self.ckanapi("action", "datastore_search", f"resource_id={surveys}", "limit=many", "-r", URL)
        assert done.returncode != 0
        assert "Invalid integer" in done.stderr
