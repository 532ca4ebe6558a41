// Games just finished, in a frame on the page of their ladder, for as long as it is open.
"use strict";

for (const part of document.querySelectorAll("details[data-watch]")) {
  let frame = null;
  part.addEventListener("toggle", () => {
    if (part.open && !frame) {
      frame = document.createElement("iframe");
      frame.title = part.querySelector("summary").textContent;
      frame.className = "watched";
      frame.src = part.dataset.watch;
      part.append(frame);
    } else if (!part.open && frame) {
      frame.remove();
      frame = null;
    }
  });
  addEventListener("message", (event) => {
    const height = event.data && event.data.height;
    if (frame && event.source === frame.contentWindow && event.origin === location.origin && height > 0)
      frame.style.height = `${Math.ceil(height)}px`;
  });
}
