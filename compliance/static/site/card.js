/* A card that was opened stays readable: this keeps a copy of it in the browser, and says when it no longer counts.

   Only the card is kept, with the files that it needs and the page that is shown where no copy is there. Nobody
   else is told of it. The worker (`card_worker.js`) shows copies where there is no connection. */

const CARDS = "cards";
const FILES = "card-files";
const MOST_CARDS = 20;
const LONGEST_WAIT_MS = 2 ** 31 - 1;

const card = document.querySelector(".counter-card");
const expires = Date.parse(card.dataset.expires);
const kept = document.querySelector(".kept");

/* Say that the card no longer counts, now or when its time is over. */
function watchTheClock() {
  const left = expires - Date.now();
  if (left <= 0) {
    card.querySelector(".expired").hidden = false;
  } else {
    setTimeout(watchTheClock, Math.min(left, LONGEST_WAIT_MS));
  }
}

/* Return the page as it came, with the words that say that it is a copy. */
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

/* Keep the card, its files and the page for cards that are not there; drop the oldest cards beyond the most. */
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

/* Drop every card, and the workers that showed them. */
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
