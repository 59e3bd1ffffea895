import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { SCRIPT } from '../../report/script.ts'

/** The page's script over the smallest page it can meet: one table, one button, no charts. */
function page(rows: readonly (readonly (string | null)[])[], writeText: (text: string) => Promise<void>) {
  const listeners: ((event: { preventDefault: () => void }) => void)[] = []
  const button = {
    hidden: true,
    dataset: { copy: 'levels' },
    textContent: 'Copy CSV',
    addEventListener: (_: string, listener: (typeof listeners)[number]) => listeners.push(listener),
    closest: () => null,
  }
  const cells = rows.map((row) => ({
    cells: row.map((value) => ({ textContent: value ?? '–', classList: { contains: () => value === null } })),
  }))
  const selected: unknown[] = []
  const tableElement = { rows: cells }
  runInNewContext(SCRIPT, {
    document: {
      querySelectorAll: (selector: string) => (selector === '[data-copy]' ? [button] : []),
      createElement: () => ({}),
      getElementById: () => tableElement,
      body: { append: () => undefined },
    },
    navigator: { clipboard: { writeText } },
    getSelection: () => ({ selectAllChildren: (element: unknown) => selected.push(element) }),
    setTimeout: () => undefined,
  })
  const click = async () => {
    for (const listener of listeners) listener({ preventDefault: () => undefined })
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { button, click, selected, tableElement }
}

describe('the script of a report', () => {
  test('shows the button and copies the table as CSV: text as it stands, no value as an empty cell', async () => {
    const copied: string[] = []
    const rows = [
      ['tick_at', 'note'],
      ['2026-01-01T00:00:00Z', null],
      ['2026-01-02T00:00:00Z', 'a "b", c'],
    ]
    const { button, click } = page(rows, async (text) => void copied.push(text))
    expect(button.hidden).toBe(false)
    await click()
    expect(copied).toEqual(['tick_at,note\n2026-01-01T00:00:00Z,\n2026-01-02T00:00:00Z,"a ""b"", c"\n'])
    expect(button.textContent).toBe('Copied')
  })

  test('copies what a spreadsheet would take for a formula with an apostrophe, numbers without', async () => {
    const copied: string[] = []
    const { click } = page([['=1+1', '-0.25', '@x', "'=1"]], async (text) => void copied.push(text))
    await click()
    expect(copied).toEqual(["'=1+1,-0.25,'@x,''=1\n"])
  })

  test('where the clipboard is refused it selects the table and says so', async () => {
    const { button, click, selected, tableElement } = page([['a']], () => Promise.reject(new Error('refused')))
    await click()
    expect(selected).toEqual([tableElement])
    expect(button.textContent).toContain('Ctrl+C')
  })
})
