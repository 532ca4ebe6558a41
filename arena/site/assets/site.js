// Passkeys, archives with progress, submissions and matches watched live. Every page works without.
"use strict";

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

async function ask(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

function say(near, words) {
  const place = near.parentElement.querySelector("[role=status]");
  place.textContent = words;
}

async function makePasskey() {
  const options = await ask("/account/passkeys/options", {});
  options.challenge = bytes(options.challenge);
  options.user.id = bytes(options.user.id);
  for (const each of options.excludeCredentials || []) each.id = bytes(each.id);
  const made = await navigator.credentials.create({ publicKey: options });
  return ask("/account/passkeys", {
    id: made.id,
    rawId: text(made.rawId),
    type: made.type,
    response: {
      clientDataJSON: text(made.response.clientDataJSON),
      attestationObject: text(made.response.attestationObject),
    },
  });
}

async function usePasskey(button) {
  const options = await ask("/sign-in/passkey/options", {});
  options.challenge = bytes(options.challenge);
  const found = await navigator.credentials.get({ publicKey: options });
  const next = encodeURIComponent(button.dataset.next || "/");
  return ask(`/sign-in/passkey?next=${next}`, {
    id: found.id,
    rawId: text(found.rawId),
    type: found.type,
    response: {
      clientDataJSON: text(found.response.clientDataJSON),
      authenticatorData: text(found.response.authenticatorData),
      signature: text(found.response.signature),
      userHandle: found.response.userHandle ? text(found.response.userHandle) : null,
    },
  });
}

for (const [name, act] of [["make-passkey", makePasskey], ["use-passkey", usePasskey]]) {
  const button = document.getElementById(name);
  if (!button) continue;
  if (!window.PublicKeyCredential) {
    say(button, "This browser, or this address, has no passkeys; they need https or localhost.");
    continue;
  }
  button.disabled = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const said = await act(button);
      location.assign(said.next);
    } catch (error) {
      say(button, error.name === "NotAllowedError" ? "No passkey was given." : error.message);
      button.disabled = false;
    }
  });
}

const upload = document.getElementById("hand-in");
if (upload) {
  upload.addEventListener("submit", (event) => {
    event.preventDefault();
    const bar = upload.querySelector("progress");
    const status = upload.querySelector("[role=status]");
    const size = upload.querySelector("[type=file]").files[0].size;
    if (size > Number(upload.dataset.most)) {
      status.textContent = `An archive may have ${upload.dataset.most / 1048576} MiB; this one has ${Math.ceil(size / 1048576)}.`;
      return;
    }
    const request = new XMLHttpRequest();
    request.open("POST", upload.action);
    request.upload.addEventListener("progress", (now) => {
      bar.hidden = false;
      bar.max = now.total;
      bar.value = now.loaded;
      status.textContent = now.loaded < now.total
        ? `${Math.floor(now.loaded / 1024).toLocaleString("en")} of ${Math.ceil(now.total / 1024).toLocaleString("en")} KiB`
        : "Kept on the disk …";
    });
    request.addEventListener("load", () => {
      if (request.status < 400 && request.responseURL !== location.href) {
        location.assign(request.responseURL);
        return;
      }
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      const said = [...page.querySelectorAll("main p")].map((p) => p.textContent).join(" ");
      status.textContent = said || "That did not work.";
      bar.hidden = true;
    });
    request.addEventListener("error", () => {
      status.textContent = "The connection broke; hand it in again.";
      bar.hidden = true;
    });
    request.send(new FormData(upload, event.submitter));
  });
}

const report = document.getElementById("report");
if (report && report.dataset.stream) {
  const state = document.getElementById("state");
  const source = new EventSource(`${report.dataset.stream}?after=${report.dataset.end}`);
  source.addEventListener("told", (event) => {
    const follows = innerHeight + scrollY >= document.body.scrollHeight - 80;
    report.insertAdjacentHTML("beforeend", event.data);
    if (follows) scrollTo(0, document.body.scrollHeight);
  });
  source.addEventListener("state", (event) => {
    state.innerHTML = event.data;
  });
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
}

const match = document.getElementById("match");
if (match && match.dataset.open) {
  const timer = setInterval(async () => {
    let text;
    try {
      text = await (await fetch(location.href)).text();
    } catch {
      return; // the server may come back
    }
    const now = new DOMParser().parseFromString(text, "text/html").getElementById("match");
    if (!now || !now.dataset.open) {
      clearInterval(timer);
      location.reload();
      return;
    }
    if (now.innerHTML !== match.innerHTML) match.innerHTML = now.innerHTML;
  }, 2500);
}
