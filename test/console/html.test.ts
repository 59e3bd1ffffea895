import { expect, test } from 'vitest'

/** Element as Preact has it. */
type Element = { readonly props: Readonly<Record<string, unknown>> }

/** Loaded by its path: only the page's own settings of TypeScript know the types of htm. */
const MODULE: string = '../../console/html.ts'
const { html } = (await import(MODULE)) as {
  html: (strings: TemplateStringsArray, ...values: unknown[]) => Element
}

test.each([
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  [' javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['ftp://example.com', undefined],
  ['https://example.com/a', 'https://example.com/a'],
  ['http://example.com', 'http://example.com'],
  ['/docs', '/docs'],
  ['#main', '#main'],
  ['?view=trade', '?view=trade'],
])('a link to %j leads to %j', (given, href) => {
  expect(html`<a href=${given}>x</a>`.props.href).toBe(href)
})

test('no text of the page hides control characters or turns the order of what follows', () => {
  const title = 'pay \u202eyek\u001b[2J\u0007'
  const node = html`<p title=${title}>${title} ${[title, html`<b>${title}</b>`]}</p>`
  const text = JSON.stringify(node)
  expect(text).toContain('pay ?yek?[2J?')
  expect(text).not.toMatch(/\\u001b|\\u0007|\u202e/)
})
