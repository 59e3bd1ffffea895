import { escapeHtml } from '../../primitives/escape-html.ts'

/** Renders a table; cells are HTML. It scrolls by itself, also by the keyboard. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = (tag: string, values: readonly string[]) => values.map((value) => `<${tag}>${value}</${tag}>`).join('')
  const lines = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')
  const is_named = head.some((name) => name !== '')
  const top = is_named ? `<thead><tr>${head.map(headCell).join('')}</tr></thead>` : ''
  return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${top}<tbody>\n${lines}\n</tbody></table></div>`
}

/** Renders the head of a column; one without a name is an empty cell. */
function headCell(name: string): string {
  return name === '' ? '<td></td>' : `<th scope="col">${name}</th>`
}

/** Renders inline code. */
export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`
}

/** Renders a code block, which can be scrolled by the keyboard; the page's script adds a button that copies it. */
export function block(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`
}

/** Renders a block of JSON. */
export function jsonBlock(value: unknown): string {
  return block(JSON.stringify(value, null, 2))
}

/** Renders one line of Markdown from a table in docs/: code between backticks, escaped bars, and the text of links. */
export function inlineMarkdown(text: string): string {
  const plain = text.replaceAll('\\|', '|').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return escapeHtml(plain).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
