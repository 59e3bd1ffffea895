import { FORMULA, NUMBER } from '../primitives/csv-cell.ts'

/**
 * The only script of a report; without it everything can still be read. It copies tables as CSV (a dash that stands for "no
 * value" becomes an empty cell) and shows the row under the pointer beside a chart.
 */
export const SCRIPT = `
'use strict';
const formula = ${FORMULA}, number = ${NUMBER};
const harmless = (text) => formula.test(text) && !number.test(text) ? "'" + text : text;
const quote = (text) => /[",\\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
const cell = (td) => td.classList.contains('none') ? '' : quote(harmless(td.textContent));
const csv = (table) => Array.from(table.rows, (row) => Array.from(row.cells, cell).join(',')).join('\\n') + '\\n';
async function copy(button) {
  const table = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(csv(table));
    button.textContent = 'Copied';
  } catch {
    const details = button.closest('details');
    if (details) details.open = true;
    getSelection().selectAllChildren(table);
    button.textContent = 'Selected: copy with Ctrl+C';
  }
  setTimeout(() => { button.textContent = 'Copy CSV'; }, 2500);
}
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', (event) => { event.preventDefault(); copy(button); });
}
const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
document.body.append(tip);
const tables = new Map();
function rowsOf(id) {
  if (!tables.has(id)) {
    const table = document.getElementById(id);
    const heads = Array.from(table.tHead.rows[0].cells, (th) => th.textContent);
    const rows = Array.from(table.tBodies[0].rows, (row) => ({ at: Date.parse(row.cells[0].textContent), row }));
    tables.set(id, { heads, rows });
  }
  return tables.get(id);
}
function nearest(rows, at) {
  let low = 0, high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].at < at) low = middle + 1; else high = middle;
  }
  return low > 0 && at - rows[low - 1].at < rows[low].at - at ? low - 1 : low;
}
function hide(svg) {
  tip.hidden = true;
  svg.querySelector('.cross').style.visibility = 'hidden';
}
function show(svg, event) {
  const { table, left, right, from, to } = svg.dataset;
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  const share = ((event.clientX - box.left) * scale - left) / (right - left);
  const { heads, rows } = rowsOf(table);
  if (share < 0 || share > 1 || rows.length === 0) return hide(svg);
  const { at, row } = rows[nearest(rows, +from + share * (to - from))];
  const x = +left + (at - from) / (to - from) * (right - left);
  const cross = svg.querySelector('.cross');
  cross.setAttribute('x1', x);
  cross.setAttribute('x2', x);
  cross.style.visibility = 'visible';
  const list = document.createElement('dl');
  heads.forEach((head, i) => {
    const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
    dt.textContent = head;
    dd.textContent = row.cells[i].textContent;
    list.append(dt, dd);
  });
  tip.replaceChildren(list);
  tip.hidden = false;
  const page_x = box.left + scrollX + x / scale;
  const place = page_x + 14 + tip.offsetWidth > document.documentElement.clientWidth ? page_x - 14 - tip.offsetWidth : page_x + 14;
  tip.style.left = Math.max(4, place) + 'px';
  tip.style.top = box.top + scrollY + 12 + 'px';
}
for (const svg of document.querySelectorAll('svg[data-table]')) {
  svg.addEventListener('pointermove', (event) => show(svg, event));
  svg.addEventListener('pointerleave', () => hide(svg));
}
`
