import { type Children, html } from '../html.ts'
import { Empty } from './notes.ts'
import { type Column, TableHead } from './table-head.ts'

export type { Column }

export type RecordRow = {
  readonly key: string
  /** One cell for each column. */
  readonly cells: readonly Children[]
  /** Details below the row. */
  readonly inner?: Children
}

type RecordTableProps = {
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly RecordRow[]
  /** Text for an empty table. */
  readonly empty: string
  readonly is_hidden?: boolean
  readonly beside?: Children
  /** Content between title and table. */
  readonly above?: Children
}

/** Section with a table of records; on a narrow screen each row is a card. */
export function RecordTable({ id, title, columns, rows, empty, is_hidden = false, beside, above }: RecordTableProps) {
  return html`<section aria-labelledby=${`${id}-title`}>
    <div class="section-head"><h2 id=${`${id}-title`}>${title}</h2>${beside}</div>
    ${above}
    ${is_hidden && html`<${Empty}>This API key may not read this<//>`}
    ${!is_hidden && rows.length === 0 && html`<${Empty}>${empty}<//>`}
    ${
      rows.length > 0 &&
      html`<div class="scroll" tabindex="0" role="group" aria-labelledby=${`${id}-title`}>
        <table class="records">
          <${TableHead} columns=${columns} />
          <tbody>${rows.map((row) => rowOf(row, columns))}</tbody>
        </table>
      </div>`
    }
  </section>`
}

function rowOf({ key, cells, inner }: RecordRow, columns: readonly Column[]) {
  const cell = ([name, kind]: Column, at: number) =>
    kind === 'head'
      ? html`<th scope="row" key=${name}>${cells[at]}</th>`
      : html`<td key=${name} class=${kind ?? ''} data-name=${name}>${cells[at]}</td>`
  const opened = inner
    ? [html`<tr class="inner" key=${`${key}-inner`}><td colspan=${columns.length}>${inner}</td></tr>`]
    : []
  return [html`<tr key=${key}>${columns.map(cell)}</tr>`, ...opened]
}
