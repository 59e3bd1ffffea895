import { html } from '../html.ts'

/** A column; `head` names the row. */
export type Column = readonly [name: string, kind?: 'head' | 'number' | 'text' | 'instant' | 'do']

/** Head of a table. */
export function TableHead({ columns }: { columns: readonly Column[] }) {
  return html`<thead><tr>${columns.map(([name, kind]) => html`<th scope="col" key=${name} class=${kind ?? ''}>${name}</th>`)}</tr></thead>`
}
