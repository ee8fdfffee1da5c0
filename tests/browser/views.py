"""Every view of the page, and its address for a finished run."""

from __future__ import annotations

from tests.api.serving import Served

VIEWS = (
    "compare-runs", "compare", "run", "label", "document", "new-run", "progress", "data",
    "dataset", "labels", "pack", "label-sentences", "not-found",
)  # fmt: skip
LABEL, MODEL = "defendant_race", "simulated-planted"


def path_of(view: str, served: Served, run: str) -> str:
    """The address of a view."""
    if view == "document":
        query = {"label": LABEL, "model": MODEL, "changed": "true", "sort": "-spread"}
        document = served.get(f"/runs/{run}/documents", **query)["items"][0]["id"]
        return f"/runs/{run}/documents/{document}?label={LABEL}&model={MODEL}"
    return {
        "compare-runs": "/compare",
        "compare": f"/compare?run={run}",
        "run": f"/runs/{run}",
        "label": f"/runs/{run}/labels/{LABEL}?model={MODEL}",
        "new-run": "/new?dataset=us-sentencing",
        "progress": f"/new?run={run}",
        "data": "/data",
        "dataset": f"/data/{_faulty(served)}",
        "labels": "/labels",
        "pack": "/labels/placebo",
        "label-sentences": f"/labels/judicial-us/{LABEL}",
        "not-found": "/no/such/view",
    }[view]


def _faulty(served: Served) -> str:
    """A file with problems: the view of it shows the most."""
    known = [one["id"] for one in served.get("/datasets", limit=500)["items"]
             if one["filename"] == "problems.csv"]  # fmt: skip
    if known:
        return str(known[0])
    facts = "The defendant took a bicycle worth {} dollars from a yard. Offense level 8, history I."
    rows = "".join(f"{i};{facts.format(100 * i)};theft;{12 * i}\n" for i in range(1, 9))
    content = f"Docket;Case facts;Offense;Months\n{rows}8;{facts.format(1)};theft;9996\n".encode()
    query = {"filename": "problems.csv"}
    return str(served.ask("POST", "/datasets", 201, params=query, content=content)["id"])
