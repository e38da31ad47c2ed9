"""The browser, and the switches it is started with."""

import shutil

from playwright.async_api import Playwright

from tests.support.programs import skip_without

# For each window Chromium loads the pages of its address bar, which a headless browser never shows:
# half of a window's cost. Only the last such list counts, so it repeats Playwright's own entries.
SWITCHED_OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)


# There is no sandbox for root. The rest prevents network requests.
FLAGS = [
    f"--disable-features={','.join(SWITCHED_OFF)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium(playwright: Playwright) -> str:
    """The system's Chromium, or the one that Playwright installed."""
    for program in ("chromium", "chromium-browser", playwright.chromium.executable_path):
        if found := shutil.which(program):
            return found
    return skip_without("Chromium", ", and `playwright install chromium` does without root")
