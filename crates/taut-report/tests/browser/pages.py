"""Tests of pages in Chromium: `pages.py FOLDER TAUT`, with the pages of the example `pages` in FOLDER and the command TAUT."""

import csv
import json
import pathlib
import subprocess
import sys
import time

from chromium import Chromium

HERE = pathlib.Path(__file__).parent
MODELS = ["pendulum", "squeezer", "double-pendulum", "car-axis", "rigid-body", "stiff-spring-pendulum"]

# The opaque colours of a plot.
COLOURS = """(name => {
  const canvas = document.querySelector(`.plot[data-name="${name}"] canvas`);
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let k = 0; k < data.length; k += 4) if (data[k + 3] === 255) seen.add(`${data[k]},${data[k + 1]},${data[k + 2]}`);
  return [...seen];
})"""


def shown(page):
    """The picture of the stage, small: enough to see whether something is there and moves."""
    script = """(() => {
      const small = document.createElement("canvas"), view = document.getElementById("view");
      [small.width, small.height] = [160, 120];
      const context = small.getContext("2d");
      context.drawImage(view, 0, 0, 160, 120);
      return Array.from(context.getImageData(0, 0, 160, 120).data);
    })()"""
    page.frames(2)
    return page.run(script)


class Tests:
    def __init__(self, folder, taut):
        self.folder, self.taut = folder, taut

    def url(self, name):
        return (self.folder / f"{name}.html").resolve().as_uri()

    def make(self, model, *options):
        command = [self.taut, "run", model, "--quiet", "--report", self.folder / f"{model}.html", *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def open(self, browser, name, **how):
        page = browser.page(self.url(name), **how)
        errors, requests = page.troubles()
        assert not errors and not requests, (name, errors, requests)
        return page

    def pages_load(self, browser):
        """No page has errors or asks for anything; each is there at once."""
        for name in ("shapes", "plane-bodies", "claims", "million-rows"):
            self.open(browser, name).close()

    def seeking_shows_dense_output(self, browser):
        """The state at any time is that of dense output."""
        for model in ("pendulum", "squeezer"):
            table = self.folder / f"{model}.csv"
            self.make(model, "--out", table, "--samples", "331")
            with open(table) as file:
                heads, *rows = list(csv.reader(file))
            page = self.open(browser, model)
            times = json.dumps([float(row[0]) for row in rows])
            states = page.run(f"{times}.map(t => {{ taut.seek(t); return taut.state(); }})")
            worst = 0.0
            for row, state in zip(rows, states):
                assert abs(state["t"] - float(row[0])) <= 1e-15 * abs(float(row[0]))
                for name, text in zip(heads[1:], row[1:]):
                    largest = max(abs(float(other[heads.index(name)])) for other in rows)
                    difference = abs(state["columns"][name] - float(text)) / max(1.0, largest)
                    worst = max(worst, difference)
            assert worst < 1e-9, (model, worst)
            names = page.run("taut.state().coordinates")
            assert names == heads[1:1 + len(names)] and len(page.run("taut.state().v")) == len(names)
            print(f"  {model}: seek differs from dense output by {worst:.1e} at most")
            page.close()

    def plots_are_there(self, browser):
        """Each plot is there with its data, and values under the cursor."""
        page = self.open(browser, "pendulum")
        names = page.run("[...document.querySelectorAll('.plot')].map(plot => plot.dataset.name)")
        expected = ["coordinates", "observables", "velocities", "phase", "multipliers", "energy", "energy-error", "residuals", "steps", "order"]
        assert names == expected, names
        assert page.run("['motion', 'play', 'time', 'speed', 'summary', 'model'].every(id => document.getElementById(id))")
        page.run("taut.seek(3)")
        page.until("""[...document.querySelectorAll('.plot canvas')].every(canvas => {
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          for (let k = 0; k < data.length; k += 4) if (data[k] === 0 && data[k + 1] === 0x72 && data[k + 2] === 0xb2) return true;
          return false;
        })""")
        page.until("""Math.abs(document.querySelector('.plot[data-name=coordinates] output').textContent.replace("−", "-")
          - taut.state().columns.x) < 1e-4""")
        page.close()

    def playing_moves(self, browser):
        """Play advances the time, pause stops it, keys move it."""
        page = self.open(browser, "pendulum")
        page.run("document.getElementById('play').click()")
        page.until("taut.state().t > 0 && taut.state().playing")
        page.until(f"taut.state().t > {page.run('taut.state().t')}")
        page.key(" ", "Space")
        assert not page.run("taut.state().playing")
        page.run("document.getElementById('play').focus()")
        page.key(" ", "Space")
        assert page.run("taut.state().playing"), "space on the play button presses it, once"
        page.key(" ", "Space")
        assert not page.run("taut.state().playing")
        page.run("document.activeElement.blur()")
        for key, expected in (("End", 20.0), ("Home", 0.0), ("ArrowRight", 0.2), ("ArrowRight", 0.4), ("ArrowLeft", 0.2)):
            page.key(key)
            assert abs(page.run("taut.state().t") - expected) < 1e-9, key
        page.run("(() => { const s = document.getElementById('time'); s.value = 7; s.dispatchEvent(new Event('input')); })()")
        assert page.run("taut.state().t") == 7
        page.run("(() => { const s = document.getElementById('speed'); s.value = '5'; s.dispatchEvent(new Event('change')); })()")
        assert page.run("taut.state().speed") == 5
        page.close()

    def plots_answer_the_pointer(self, browser):
        """A click seeks, a drag zooms, a double click shows all, the legend hides."""
        page = self.open(browser, "pendulum")
        page.frames(3)
        box = page.run("""(() => { const b = document.querySelector('.plot[data-name=coordinates] .frame').getBoundingClientRect();
          return [b.left, b.top, b.width, b.height]; })()""")
        left, right = box[0] + 62, box[0] + box[2] - 22
        at = lambda share: (left + share * (right - left), box[1] + 80)
        page.click(*at(0.5))
        assert abs(page.run("taut.state().t") - 10) < 0.1
        page.mouse("mousePressed", *at(0.25))
        page.mouse("mouseMoved", *at(0.4))
        page.mouse("mouseReleased", *at(0.5))
        page.click(*at(0.0))
        assert abs(page.run("taut.state().t") - 5) < 0.1, "the left end is where the drag began"
        page.click(*at(0.5))
        page.click(*at(0.5), clicks=2)
        page.click(*at(0.0))
        assert abs(page.run("taut.state().t")) < 0.1, "a double click shows all"
        pressed = page.run("(() => { const b = document.querySelector('.legend button'); b.click(); return b.getAttribute('aria-pressed'); })()")
        assert pressed == "false"
        page.close()

    def motions_are_seen(self, browser):
        """Pictures of six models are not blank, and differ between times."""
        for model in MODELS:
            if not (self.folder / f"{model}.html").exists():
                self.make(model)
            page = self.open(browser, model)
            ends = page.run("[Number(document.getElementById('time').min), Number(document.getElementById('time').max)]")
            pictures = []
            for share in (0.0, 0.37):
                page.run(f"taut.seek({ends[0] + share * (ends[1] - ends[0])})")
                pictures.append(shown(page))
            colours = {tuple(pictures[0][k:k + 4]) for k in range(0, len(pictures[0]), 4)}
            assert len(colours) > 20, (model, len(colours))
            assert sum(a != b for a, b in zip(*pictures)) > 60, model
            page.close()

    def text_stays_text(self, browser):
        """Names with markup are shown, not obeyed."""
        page = self.open(browser, "hostile")
        time.sleep(0.2)
        assert page.run("window.harmed === undefined")
        assert page.run("document.querySelectorAll('img').length") == 0
        assert page.run("document.querySelector('h1').textContent") == "<script>window.harmed = true</script>"
        assert page.run("document.querySelector('#model code').textContent").startswith("</pre><script>")
        assert "{{model}}" in page.run("document.querySelector('.note').textContent")
        page.close()

    def everybody_can_use_it(self, browser):
        """axe-core finds no violation, light and dark; no letter is smaller than 12 pixels; nothing is wider than a phone."""
        axe = (HERE / "axe-core" / "axe.min.js").read_text()
        for name, dark in (("pendulum", False), ("squeezer", True), ("shapes", False), ("claims", True), ("sweep", False), ("sweep", True)):
            page = self.open(browser, name, dark=dark)
            page.frames(2)
            page.run(axe + "; 0")
            found = page.run("axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html + ' ' + n.failureSummary)]))")
            assert not found, (name, json.dumps(found, indent=1)[:3000])
            smallest = page.run("""Math.min(...[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() &&
              [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize)))""")
            assert smallest >= 12, (name, smallest)
            page.close()
        page = self.open(browser, "squeezer", width=390, height=844, mobile=True)
        assert page.run("document.documentElement.scrollWidth") <= 390
        page.close()

    def paper_shows_everything(self, browser):
        """Before printing there are six phases and all plots, in light colours."""
        page = self.open(browser, "pendulum", dark=True)
        page.run("dispatchEvent(new Event('beforeprint'))")
        assert page.run("document.querySelectorAll('#phases img').length") == 6
        assert page.run("document.documentElement.dataset.theme") == "light"
        assert page.run("new Set([...document.querySelectorAll('#phases img')].map(i => i.src)).size") == 6
        page.run("dispatchEvent(new Event('afterprint'))")
        assert page.run("document.documentElement.dataset.theme") == "dark"
        page.close()

    def sweeps_are_seen(self, browser):
        """The page of a sweep has bars, dots and tiles in their colours, light and dark, and names of runs that failed."""
        command = [self.taut, "sweep", "pendulum", "--vary", "g=0.1..10:9:log", "--vary", "l=0,1,2,3", "--until", "5", "--quiet",
                   "--out", self.folder / "sweep.csv", "--report", self.folder / "sweep.html"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for dark in (False, True):
            page = self.open(browser, "sweep", dark=dark)
            page.frames(3)
            groups = page.run("[...document.querySelectorAll('h2')].map(title => title.textContent)")
            assert {"Distributions", "Over g", "Over l", "Over g and l"} <= set(groups), groups
            for name, least in (("Distributions", 1), ("Over g", 1), ("Over g and l", 7)):
                # A plot is drawn when it is scrolled to.
                page.run(f"document.querySelector('.plot[data-name=\"{name}\"] canvas').scrollIntoView()")
                page.until(f"{COLOURS}({json.dumps(name)}).length > {least}")
                seen = page.run(f"{COLOURS}({json.dumps(name)})")
                levels = page.run(f"[...document.querySelectorAll('.plot[data-name=\"{name}\"] .swatch')].map(s => s.style.borderColor)")
                if levels:
                    painted = [colour for colour in levels if colour.replace("rgb(", "").replace(")", "").replace(" ", "") in seen]
                    assert len(levels) == least and len(painted) >= 5, (name, levels, seen[:20])
            assert page.run("document.getElementById('summary').textContent").count("failed") == 9
            page.close()

    def files_can_be_saved(self, browser):
        """The picture and the numbers of a plot are what is shown."""
        page = self.open(browser, "pendulum")
        page.frames(3)
        page.run("""(() => { window.saved = []; URL.createObjectURL = blob => { saved.push(blob); return "#"; };
          for (const b of document.querySelectorAll('.plot[data-name=coordinates] .tools button')) b.click(); })()""")
        svg, table = page.run("Promise.all(saved.map(blob => blob.text()))")
        assert svg.startswith("<svg") and svg.count("<polyline") > 10 and ">Coordinates</text>" in svg
        rows = table.strip().split("\n")
        assert rows[0] == "t,x,y" and len(rows) > 200 and rows[1].split(",")[0] == "0"
        page.close()

    def no_extreme_is_lost(self, browser):
        """Of a million rows the two spikes are left."""
        page = self.open(browser, "million-rows")
        page.frames(3)
        labels = page.run("""(() => { window.saved = []; URL.createObjectURL = blob => { saved.push(blob); return "#"; };
          document.querySelector('.plot .tools button:last-child').click(); return saved[0].text(); })()""")
        values = [float(row.split(",")[1]) for row in labels.strip().split("\n")[1:]]
        assert abs(max(values) - 7) < 1e-9 and abs(min(values) + 9) < 1e-9
        page.close()

    def much_is_quick(self, browser):
        """100 bodies and 20 plots: script per frame; size; first picture."""
        size = (self.folder / "hundred-bodies.html").stat().st_size
        assert size < 1_500_000, size
        page = self.open(browser, "hundred-bodies", width=1600, height=1000)
        page.until("performance.getEntriesByType('paint').length")
        first = page.run("performance.getEntriesByType('paint')[0].startTime")
        page.run("taut.play()")
        page.until("taut.frames().length > 60")
        frames = sorted(page.run("taut.frames()"))
        page.close()
        middle = frames[len(frames) // 2]
        print(f"  100 bodies, 20 plots: {size / 1000:.0f} kB, first picture after {first:.0f} ms, "
              f"script per frame {middle:.2f} ms in the middle of {len(frames)}")
        assert middle <= 8, frames

    def works_without_webgl(self):
        """Space is drawn on a canvas where there is no WebGL."""
        with Chromium(webgl=False, extra=["--disable-3d-apis"]) as browser:
            page = self.open(browser, "shapes")
            assert page.run("document.getElementById('view').getContext('webgl2')") is None
            first = shown(page)
            page.run("taut.seek(4)")
            assert sum(a != b for a, b in zip(first, shown(page))) > 60

    def run(self):
        with Chromium() as browser:
            for test in (self.pages_load, self.seeking_shows_dense_output, self.plots_are_there, self.playing_moves,
                         self.plots_answer_the_pointer, self.motions_are_seen, self.text_stays_text,
                         self.sweeps_are_seen, self.everybody_can_use_it, self.paper_shows_everything, self.files_can_be_saved,
                         self.no_extreme_is_lost, self.much_is_quick):
                self.report(test, browser)
        self.report(self.works_without_webgl)

    @staticmethod
    def report(test, *arguments):
        began = time.time()
        test(*arguments)
        print(f"{test.__name__.replace('_', ' ')}: {time.time() - began:.1f} s", flush=True)


if __name__ == "__main__":
    Tests(pathlib.Path(sys.argv[1]), sys.argv[2]).run()
