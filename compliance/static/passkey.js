// Passkeys: asks the browser to make or to use one, and sends its answer with the form of the page.
// The element with the id `passkey-options` has what the service asks for, as JSON.

const form = document.getElementById("passkey-form");
const options = JSON.parse(document.getElementById("passkey-options").textContent);

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function described(credentials) {
  return (credentials ?? []).map((credential) => ({ ...credential, id: bytes(credential.id) }));
}

function make() {
  return navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: described(options.excludeCredentials),
    },
  });
}

function use() {
  return navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: described(options.allowCredentials),
    },
  });
}

function answer(credential) {
  const { response } = credential;
  const sent = { clientDataJSON: text(response.clientDataJSON) };
  if (response.attestationObject) {
    sent.attestationObject = text(response.attestationObject);
    sent.transports = response.getTransports?.() ?? [];
  } else {
    sent.authenticatorData = text(response.authenticatorData);
    sent.signature = text(response.signature);
    sent.userHandle = response.userHandle ? text(response.userHandle) : null;
  }
  return JSON.stringify({
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: sent,
  });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const failed = document.getElementById("passkey-failed");
  failed.hidden = true;
  try {
    form.elements.answer.value = answer(await (options.user ? make() : use()));
  } catch {
    // Cancelled, too late, or not possible on this device.
    failed.hidden = false;
    return;
  }
  form.submit();
});
