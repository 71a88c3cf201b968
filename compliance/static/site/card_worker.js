/* Shows opened cards if there is no connection. It reads what the page stored and stores nothing.

   It answers only for cards and their files; all other requests pass unchanged. */

const CARDS = "cards";
const FILES = "card-files";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

function isCard(request) {
  return request.mode === "navigate" && /^(?:\/[a-z-]+)?(?:\/itinerary)?\/card$/.test(new URL(request.url).pathname);
}

function isFileOfACard(request) {
  return request.mode !== "navigate" && new URL(request.url).pathname.startsWith("/static/site/");
}

async function saved(request) {
  const card = await (await caches.open(CARDS)).match(request.url);
  const folder = new URL(self.registration.scope).pathname.replace("/itinerary/card", "/card");
  const offline = new URL(`${folder}/offline`, request.url);
  return card ?? (await (await caches.open(FILES)).match(offline)) ?? Response.error();
}

async function cardFirstFromTheService(request) {
  try {
    const response = await fetch(request);
    return response.status >= 500 ? ((await (await caches.open(CARDS)).match(request.url)) ?? response) : response;
  } catch {
    return saved(request);
  }
}

async function fileFirstFromTheService(request) {
  try {
    return await fetch(request);
  } catch {
    return (await (await caches.open(FILES)).match(request, { ignoreSearch: true })) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") {
    return;
  }
  if (isCard(event.request)) {
    event.respondWith(cardFirstFromTheService(event.request));
  } else if (isFileOfACard(event.request)) {
    event.respondWith(fileFirstFromTheService(event.request));
  }
});
