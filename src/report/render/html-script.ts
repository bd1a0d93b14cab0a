/**
 * The one script of a page, the same bytes in every page, so that its hash can stand in the content security policy. It
 * turns the heads of tables into buttons that sort, and reloads a page of a run in progress until told to pause. The page
 * is complete without it.
 */
export const PAGE_SCRIPT: string = `
(() => {
  const valueOf = (row, column) => row.cells[column].dataset.v ?? row.cells[column].textContent.trim();
  const isMissing = (row, column) => row.cells[column].dataset.v === "";
  const collator = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => {
    const difference = Number(a) - Number(b);
    if (a === b) return 0;
    return Number.isNaN(difference) ? (Number(a) === Number(b) ? 0 : collator.compare(a, b)) : difference;
  };
  const sortRows = (body, column, direction, original) => {
    const rows = [...original];
    if (direction !== 0) {
      rows.sort((a, b) => {
        const missing = isMissing(a, column) - isMissing(b, column);
        return missing || direction * compare(valueOf(a, column), valueOf(b, column));
      });
    }
    body.append(...rows);
  };
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const body = table.tBodies[table.tBodies.length - 1];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    if (original.length < 2) continue;
    for (const [column, head] of heads.entries()) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = { ascending: "descending", descending: null }[head.ariaSort];
        const order = next === undefined ? "ascending" : next;
        for (const other of heads) other.removeAttribute("aria-sort");
        if (order !== null) head.setAttribute("aria-sort", order);
        sortRows(body, column, order === null ? 0 : order === "ascending" ? 1 : -1, original);
      });
    }
  }
  const seconds = Number(document.body.dataset.refresh);
  if (seconds > 0) {
    let timer = 0;
    const button = document.getElementById("pause");
    const start = () => { timer = setTimeout(() => location.reload(), seconds * 1000); };
    button.hidden = false;
    button.addEventListener("click", () => {
      const paused = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(paused));
      if (paused) clearTimeout(timer); else start();
    });
    start();
  }
})();
`;
