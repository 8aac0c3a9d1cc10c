"use strict";
(() => {
  const tasks = [...document.querySelectorAll("article")];
  const keys = document.getElementById("keys");
  let at = -1;
  const go = (step) => {
    if (!tasks.length) return;
    const here = tasks.findIndex((task) => task.contains(document.activeElement));
    at = Math.min(Math.max((here < 0 ? at : here) + step, 0), tasks.length - 1);
    tasks[at].focus({ preventScroll: true });
    tasks[at].scrollIntoView({ block: "start" });
  };
  const fold = () => {
    const parts = tasks[at] ? [...tasks[at].querySelectorAll("details")] : [];
    const open = parts.some((part) => !part.open);
    for (const part of parts) part.open = open;
  };
  const actions = {
    j: () => go(1), ArrowRight: () => go(1), k: () => go(-1), ArrowLeft: () => go(-1), o: fold,
    g: () => window.scrollTo(0, 0), "?": () => (keys.open ? keys.close() : keys.showModal()),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(actions, event.key)) return;
    if (keys.open && event.key !== "?") return;
    event.preventDefault();
    actions[event.key]();
  });
  document.getElementById("hint").hidden = false;
})();
