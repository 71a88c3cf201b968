/* Inside the frame: sends the frame's height to the page around it, and withdraws an expired answer.

   Only pages that may show the frame get anything, and only after they have asked. They always get the same
   title, because the title of the document contains the verdict. */
"use strict";

const NAME = "battery-travel";
const LOOK_MS = 10000;

const origins = [location.origin, ...document.body.dataset.origins.split(" ")];
let host = "";

function tell() {
  if (host) {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ name: NAME, height, title: document.body.dataset.title }, host);
  }
}

addEventListener("message", (event) => {
  if (event.source === parent && event.data === NAME && origins.includes(event.origin)) {
    host = event.origin;
    tell();
  }
});

new ResizeObserver(tell).observe(document.body);

if (/\/(check|itinerary)$/.test(location.pathname)) {
  document.getElementById("content").focus({ preventScroll: true });
}

const answer = document.getElementById("answer");
const over = document.getElementById("over");

if (answer) {
  // The later clock counts: one may be set back, the other one may stop while the device sleeps.
  const clocks = [Date, performance];
  const ends = clocks.map((clock) => clock.now() + answer.dataset.seconds * 1000);
  const look = () => {
    if (clocks.some((clock, number) => clock.now() >= ends[number])) {
      answer.remove();
      over.hidden = false;
      document.title = over.firstElementChild.textContent;
    }
  };
  setInterval(look, LOOK_MS);
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", look);
}
