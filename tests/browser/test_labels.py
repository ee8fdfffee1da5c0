"""Labels on the screen: browsed, written in a form, uploaded with mistakes; HTML stays text."""

from __future__ import annotations

from pathlib import Path

from tests.api.serving import REPLY, Served
from tests.browser.conftest import Show
from tests.browser.screen import PHONE, Screen
from tests.browser.stock import custom_pack

HTML = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def test_labels_are_found_and_read_in_a_case(show: Show) -> None:
    with show() as screen:
        page = screen.page
        screen.open("/labels")
        assert [row[0] for row in screen.rows("Packs of labels")][:3] == [
            "judicial-cn", "judicial-us", "placebo",
        ]  # fmt: skip
        page.get_by_label("Part of id or name").fill("detention before")
        page.keyboard.press("Enter")
        screen.until(lambda: labels(screen) == ["Release or detention before sentencing"])
        assert "text=detention" in screen.path
        screen.link("Release or detention before sentencing").click()
        page.wait_for_url("**/labels/judicial-us/pretrial_release")
        page.locator("mark").first.wait_for()
        marks = page.locator("mark").all_inner_texts()
        sentences = [row[1] for row in screen.rows("Values and their sentences")]
        assert marks == sentences
        page.get_by_label("Case", exact=True).select_option("us-002")
        page.wait_for_url("**case=us-002*")
        page.reload()
        page.locator("mark").first.wait_for()
        assert page.get_by_label("Case", exact=True).input_value() == "us-002"


def labels(screen: Screen) -> list[str]:
    """The names in the list of labels."""
    return screen.page.locator("main .scroll").last.locator("tbody th").all_inner_texts()


def test_a_label_is_written_in_a_form_and_its_pack_is_downloaded(
    show: Show, served: Served, tmp_path: Path
) -> None:
    with show() as screen:
        page = screen.page
        screen.open("/labels")
        page.get_by_text("Write a label").click()
        page.get_by_label("Name of the pack").fill("Written on the screen")
        page.get_by_label("Id", exact=True).fill("court_clock")
        page.get_by_label("Name", exact=True).fill("Clock of the court")
        page.get_by_label("Actor").first.fill("court")
        for at, value in ((1, "round"), (2, "square")):
            page.get_by_label(f"Id of value {at}").fill(value)
            page.get_by_label(f"Sentence of value {at}").fill(f"The clock of the court is {value}.")
        page.get_by_label("Value 2 is the reference").check()
        screen.button("Check and add").click()
        page.wait_for_url("**/labels/pack-*")
        screen.settle()
        screen.link("Clock of the court").click()
        page.locator("mark").first.wait_for()
        assert sorted(page.locator("mark").all_inner_texts()) == [
            "The clock of the court is round.", "The clock of the court is square.",
        ]  # fmt: skip
        screen.link("Labels of Written on the screen").or_(
            page.locator("main a", has_text="Labels of")
        ).first.click()
        screen.heading("Written on the screen").wait_for()
        with page.expect_download() as waiting:
            screen.link("Download Written on the screen as YAML").click()
        waiting.value.save_as(tmp_path / "own.yaml")
        pack = page.url.rpartition("/")[2]
        assert (tmp_path / "own.yaml").read_text() == served.client.get(
            f"/packs/{pack}/source"
        ).text
        screen.button("Delete this pack").click()
        screen.button("Keep it").click()
        screen.button("Delete this pack").click()
        screen.button("Delete it").click()
        page.wait_for_url("**/labels")
        served.get(f"/packs/{pack}", 404)


def test_mistakes_of_a_pack_are_shown_by_line_and_field(
    show: Show, served: Served, tmp_path: Path, own_pack: str
) -> None:
    broken = own_pack.replace("reference: blue", "reference: green").replace(
        "actor: file", "actor: 3"
    )
    file = tmp_path / "pack.yaml"
    file.write_text(broken)
    problems = served.ask("POST", "/packs/check", 200, content=broken)["problems"]
    with show() as screen:
        page = screen.page
        screen.open("/labels")
        page.get_by_text("Add a pack of your own").click()
        page.get_by_label("File", exact=True).set_input_files(file)
        page.get_by_text("nothing was added").wait_for()
        assert screen.rows("Problems of the pack") == [
            [problem["place"], problem["message"]] for problem in problems
        ]
        assert screen.button("Add the pack").is_disabled()
        file.write_text(own_pack)
        with page.expect_file_chooser() as chooser:
            page.get_by_label("File", exact=True).click()
        chooser.value.set_files(file)
        page.get_by_text("Sound: 2 labels, 4 values.").wait_for()
        screen.button("Add the pack").click()
        page.wait_for_url("**/labels/pack-*")
        screen.heading("own").wait_for()


def hostile(served: Served, text: str) -> tuple[str, ...]:
    """Every view of a run, a case set and a pack in which each text of a caller is this one."""
    pack = served.ask("POST", "/packs", 201, content=custom_pack(text))["id"]
    facts = f"The defendant took bicycle number {{}}. {text}"
    rows = "".join(f"{text}{i},{facts.format(i)},{text}\n" for i in range(3))
    content = f"case_id,facts,{text}\n{rows}".encode()
    dataset = served.ask("POST", "/datasets", 201, params={"filename": "a.csv"}, content=content)
    about = {"title": text, "labels": [f"{pack}:harm"]}
    served.ask("PUT", f"/datasets/{dataset['id']}/mapping", 200, json=about)
    lines = served.exported(dataset=dataset["id"], labels=[f"{pack}:harm"], limit=3)
    replies = [{**line, "reply": f"{text} {REPLY}"} for line in lines]
    run = str(served.imported(replies, model=text, name=text)["id"])
    row = served.get(f"/runs/{run}/documents", label="harm")["items"][0]
    return (
        "/labels", f"/labels/{pack}", f"/labels/{pack}/harm?dataset={dataset['id']}", "/data",
        f"/data/{dataset['id']}", f"/new?dataset={dataset['id']}", f"/new?run={run}", "/compare",
        f"/compare?run={run}", f"/runs/{run}", f"/runs/{run}/labels/harm",
        f"/runs/{run}/documents/{row['id']}?label=harm",
    )  # fmt: skip


def test_html_in_every_text_is_text(show: Show, served: Served) -> None:
    """In names of packs, labels, case sets, columns, cases, models, runs, and in replies."""
    paths = hostile(served, HTML)
    with show() as screen:
        screen.page.on("dialog", lambda dialog: screen.errors.append(dialog.message))
        for path in paths:
            screen.open(path)
            screen.page.get_by_text("alert(2)").first.wait_for(state="attached")
            assert screen.page.locator("main img, main script").count() == 0, path
            assert HTML in screen.page.locator("#app").evaluate("element => element.textContent")


def test_long_words_make_no_phone_scroll_sideways(show: Show, served: Served) -> None:
    paths = hostile(served, "W" * 150)
    with show(size=PHONE) as screen:
        for path in paths:
            screen.open(path)
            screen.page.get_by_text("WWWW").first.wait_for(state="attached")
            assert screen.overflow() == 0, path
