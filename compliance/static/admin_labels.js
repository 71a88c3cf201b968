// What screen readers hear of the theme's icons. Each is a word in a font of pictures, such as "send", which
// would be read before the words beside it. Where an icon stands alone, its control gets a name.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const ICON = ".material-symbols-outlined";
  for (const icon of document.querySelectorAll(ICON)) {
    icon.setAttribute("aria-hidden", "true");
    const control = icon.closest("a, button, [role=button]");
    if (!control || control.hasAttribute("aria-label")) continue;
    const words = control.cloneNode(true);
    for (const other of words.querySelectorAll(ICON)) other.remove();
    if (!words.textContent.trim()) {
      control.setAttribute("aria-label", control.title || icon.textContent.trim().replaceAll("_", " "));
    }
  }
});
