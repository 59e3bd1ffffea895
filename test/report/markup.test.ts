import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeHtml } from '../../primitives/escape-html.ts'
import { plainLines } from '../../primitives/plain-text.ts'
import { markup } from '../../report/markup.ts'
import { table } from '../../report/table.ts'
import { anyText } from '../support/any-text.ts'

describe('markup', () => {
  test('text put into a template is escaped, markup stays, lists are joined, null is nothing', () => {
    const inner = markup`<b>${'a<b'}</b>`
    expect(markup`<p class="${'"x"'}">${inner}${null}${[1, 'é&', [inner]]}</p>`.text).toBe(
      '<p class="&quot;x&quot;"><b>a&lt;b</b>1é&amp;<b>a&lt;b</b></p>',
    )
  })

  test('no text can end an element or an attribute, and none is lost but what a reader cannot see', () => {
    const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
    fc.assert(
      fc.property(anyText(), (text) => {
        const escaped = escapeHtml(text)
        expect(escaped).not.toMatch(/[<>"']/)
        expect(escaped.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)).toBe(plainLines(text))
      }),
    )
  })
})

describe('tables', () => {
  const data = {
    id: 'levels',
    caption: 'Levels',
    columns: [
      { head: 'tick_at', kind: 'instant' },
      { head: 'level', kind: 'number' },
    ],
    rows: [
      ['2026-01-01T00:00:00Z', '40.0000'],
      ['2026-01-02T00:00:00Z', null],
      ['2026-01-03T00:00:00Z', '0.0000'],
    ],
  } as const

  test('no value is a dash, zero is zero', () => {
    const { text } = table(data)
    expect(text).toContain('<td class="number none">–</td>')
    expect(text).toContain('<td class="number">0.0000</td>')
    expect(text).toContain('<th scope="col" class="number">level</th>')
  })

  test('the copy button is hidden until a script runs', () => {
    expect(table(data).text).toContain('<button type="button" data-copy="levels" hidden>')
    expect(table({ ...data, folded: true }).text).toMatch(/^<details class="table"><summary>Levels /)
  })
})
