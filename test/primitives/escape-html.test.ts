import { expect, test } from 'vitest'
import { escapeHtml } from '../../primitives/escape-html.ts'

test('a text of a report or a page is escaped, and hides no control characters', () => {
  expect(escapeHtml('<b>&"\'')).toBe('&lt;b&gt;&amp;&quot;&#39;')
  expect(escapeHtml('pay \u202eyek\u001b[2J\ntwo\tthree')).toBe('pay ?yek?[2J\ntwo\tthree')
})
