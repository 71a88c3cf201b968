/* An opened card stays readable: this script stores a copy in the browser, and says when it is no longer valid.

   It stores only the card, its files, and the page for missing copies. Nothing is sent to anyone.
   The worker (`card_worker.js`) shows copies if there is no connection. */

const CARDS = "cards";
const FILES = "card-files";
const MOST_CARDS = 20;
const LONGEST_WAIT_MS = 2 ** 31 - 1;

const card = document.querySelector(".counter-card");
const expires = Date.parse(card.dataset.expires);
const kept = document.querySelector(".kept");

/* Say that the card is no longer valid, now or when its time is over. */
function watchTheClock() {
  const left = expires - Date.now();
  if (left <= 0) {
    card.querySelector(".expired").hidden = false;
  } else {
    setTimeout(watchTheClock, Math.min(left, LONGEST_WAIT_MS));
  }
}

/* Return the page as received, with a note that it is a copy. */
function copyOfThePage() {
  const copy = document.documentElement.cloneNode(true);
  copy.querySelector(".saved").hidden = false;
  return new Response(`<!doctype html>${copy.outerHTML}`, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

async function keepNewest(cache, request, response) {
  for (const old of await cache.keys(request, { ignoreSearch: true })) {
    await cache.delete(old);
  }
  await cache.put(request, response);
}

/* Store the card, its files and the page for missing cards; drop the oldest cards beyond the limit. */
async function keep(copy) {
  const cards = await caches.open(CARDS);
  await cards.delete(location.href);
  await cards.put(location.href, copy);
  const all = await cards.keys();
  await Promise.all(all.slice(0, -MOST_CARDS).map((old) => cards.delete(old)));
  const files = await caches.open(FILES);
  const parts = document.querySelectorAll('link[rel="stylesheet"], link[rel="icon"], script[src], .name img');
  const addresses = new Set([...parts].map((part) => part.href ?? part.src));
  for (const address of [...addresses, new URL(card.dataset.offline, location.href).href]) {
    const response = await fetch(address);
    if (response.ok) {
      await keepNewest(files, address, response);
    }
  }
}

/* Drop every card, and the workers that show them. */
async function forget() {
  await Promise.all([caches.delete(CARDS), caches.delete(FILES)]);
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    if (new URL(registration.scope).pathname.endsWith("/card")) {
      await registration.unregister();
    }
  }
  kept.hidden = true;
  const said = document.querySelector(".forgotten");
  said.textContent = said.dataset.said;
}

async function begin() {
  const isCopy = !card.querySelector(".saved").hidden;
  const copy = isCopy ? null : copyOfThePage();
  watchTheClock();
  if (!("serviceWorker" in navigator && "caches" in window)) {
    return;
  }
  kept.hidden = false;
  kept.querySelector("button").addEventListener("click", forget);
  if (copy !== null) {
    await navigator.serviceWorker.register("/card-worker.js", { scope: location.pathname });
    await keep(copy);
    document.documentElement.dataset.kept = "yes";
  }
}

begin();
