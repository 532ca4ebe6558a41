"""Takes the picture of a replay in the README: python3 replay.py GAME.html PICTURE.png."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1400, 880
STEP = 30


def main() -> None:
    """Open the page, go to a step in which something happens, and save what is seen."""
    page_file, picture = map(Path, sys.argv[1:])
    # Root cannot use Chromium's own sandbox.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(f"{page_file.absolute().as_uri()}#step={STEP}")
        page.screenshot(path=picture)
        browser.close()


main()
