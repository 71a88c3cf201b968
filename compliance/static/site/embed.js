/* Puts the power bank check into a page: a frame next to the script tag of this file.

   The page gets the height and the title of the frame and nothing else. /embed describes the options. */
"use strict";

(() => {
  const NAME = "battery-travel";
  const LANGUAGES = ["zh-hans", "zh-hant", "ja", "ko", "de", "fr", "es"];
  const CHOSEN = ["model", "airline", "from", "to", "accent", "round", "scheme"];
  const [LEAST, MOST] = [120, 20000];
  const PATIENCE_MS = 10000;

  const script = document.currentScript;
  const said = script.dataset;
  const home = new URL(script.src).origin;
  const frame = document.createElement("iframe");
  let heard = false;
  let loads = 0;

  function language() {
    const tag = (said.lang || document.documentElement.lang).toLowerCase();
    if (/^zh\b/.test(tag)) {
      return /\b(hant|tw|hk|mo)\b/.test(tag) ? "zh-hant" : "zh-hans";
    }
    return tag.split("-")[0];
  }

  function address() {
    const found = language();
    const folder = LANGUAGES.includes(found) ? `/${found}` : "";
    const url = new URL(`${folder}/embed/${encodeURIComponent(said.key || "none")}`, home);
    if (said.itinerary) {
      url.pathname += "/itinerary";
      url.search = said.itinerary;
    }
    for (const name of CHOSEN) {
      if (said[name]) {
        url.searchParams.set(name, said[name]);
      }
    }
    return url.href;
  }

  function put() {
    const place = said.into ? document.getElementById(said.into) : script.parentElement;
    if (!place || place === document.head) {
      console.error(`${script.src}: there is no place for the check. Put the script into the body, or name an element in data-into.`);
    } else if (said.into) {
      place.append(frame);
    } else {
      script.after(frame);
    }
  }

  frame.src = address();
  frame.title = "Battery travel compliance";
  frame.sandbox = "allow-forms allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts";
  frame.referrerPolicy = "no-referrer";
  frame.loading = "lazy";
  Object.assign(frame.style, { display: "block", width: "100%", height: "40rem", border: "0" });

  frame.addEventListener("load", () => {
    frame.contentWindow.postMessage(NAME, home);
    loads += 1;
    if (loads > 1 && frame.getBoundingClientRect().top < 0) {
      frame.scrollIntoView();
    }
    setTimeout(() => {
      if (!heard) {
        frame.style.display = "none";
        console.error(`${script.src}: the check is not shown. Is ${location.origin} agreed for the key ${said.key}?`);
      }
    }, PATIENCE_MS);
  });

  addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== home || data?.name !== NAME) {
      return;
    }
    heard = true;
    frame.title = String(data.title);
    frame.style.display = "block";
    frame.style.height = `${Math.min(Math.max(Number(data.height) || 0, LEAST), MOST)}px`;
  });

  if (said.into && document.readyState === "loading") {
    addEventListener("DOMContentLoaded", put);
  } else {
    put();
  }
})();
