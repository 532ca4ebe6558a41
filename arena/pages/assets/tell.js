// Tells the page that has this one in a frame what this one has; opened by itself it does nothing.
if (parent !== window) parent.postMessage(document.getElementById("data").innerHTML, "*");
