import { type Markup, type MarkupValue, markup } from './markup.ts'

/** Kind of a column: numbers are aligned at the right with tabular digits; code is monospaced. */
type ColumnKind = 'text' | 'number' | 'instant' | 'code'
export type Column = { readonly head: string; readonly kind: ColumnKind }

/** null is shown as a dash and copied as an empty cell: it is no zero. */
export type Cell = string | number | null

export type Table = {
  /** Unique in the page; also the name that is offered for the copy. */
  readonly id: string
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** Note on the selection of rows if not all are shown. */
  readonly note?: string | null
  /** Shown closed: for tables that are there to be copied. */
  readonly folded?: boolean
}

/** A table of real text with a button that copies it as CSV; the button appears only where the script runs. */
export function table(data: Table): Markup {
  const body = markup`<div class="scroll"><table id="${data.id}">
<thead><tr>${data.columns.map(({ head, kind }) => markup`<th scope="col" class="${kind}">${head}</th>`)}</tr></thead>
<tbody>
${data.rows.map((row) => tableRow(row, data.columns))}</tbody></table></div>`
  const button = markup`<button type="button" data-copy="${data.id}" hidden>Copy CSV</button>`
  const note = data.note === null || data.note === undefined ? null : markup`<p class="note">${data.note}</p>`
  if (data.folded === true)
    return markup`<details class="table"><summary>${data.caption} ${button}</summary>${note}${body}</details>`
  return markup`<section class="table"><h3>${data.caption} ${button}</h3>${note}${body}</section>`
}

/** Longer texts are sentences, which get room, so that a row is not a word a line; longer codes are ids, which may break on paper. */
const LONG_MIN = 24

function tableRow(row: readonly Cell[], columns: readonly Column[]): Markup {
  const cells: MarkupValue[] = row.map((cell, i) => {
    const kind = `${columns[i]!.kind}${String(cell).length > LONG_MIN ? ' long' : ''}`
    return cell === null ? markup`<td class="${kind} none">–</td>` : markup`<td class="${kind}">${cell}</td>`
  })
  return markup`<tr>${cells}</tr>\n`
}
