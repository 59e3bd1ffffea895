import Table from 'cli-table3'
import type { TableCell } from './output.ts'

const NO_BORDER = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '' }
const NO_FOOT = { bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' }
const NO_SIDES = { left: '', 'left-mid': '', right: '', 'right-mid': '', middle: '  ' }
const RULE = { mid: '', 'mid-mid': '' }

/**
 * A plain table: a head, then one line a row; numbers and decimals to the right, the rest to the left.
 * A missing value is printed as `-`, never as 0.
 */
export function renderTable(head: readonly string[], rows: readonly (readonly TableCell[])[]): string {
  const cells = rows.map((row) => row.map(cellText))
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (isNumeric(cells, column) ? 'right' : 'left')),
    chars: { ...NO_BORDER, ...NO_FOOT, ...NO_SIDES, ...RULE },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  })
  table.push(...cells)
  const lines = table.toString().split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}

function cellText(value: TableCell): string {
  return value === null || value === undefined ? '-' : printable(String(value))
}

/** Control characters could move the cursor or colour the terminal: shown as a question mark. */
function printable(text: string): string {
  return [...text].map((character) => (isControl(character) ? '?' : character)).join('')
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0)!
  return code < 32 || (code >= 127 && code < 160)
}

function isNumeric(cells: readonly (readonly string[])[], column: number): boolean {
  return cells.every((row) => /^(-|-?[\d,]+(\.\d+)?%?)$/.test(row[column] ?? '-'))
}
