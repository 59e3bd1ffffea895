import { type Children, html } from '../html.ts'

export type Fact = readonly [name: string, value: Children]

/** Names and values in two columns; a missing value reads "none", never 0. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) => html`<div key=${name}>
        <dt>${name}</dt>
        <dd>${value === null ? html`<span class="none">none</span>` : value}</dd>
      </div>`,
    )}
  </dl>`
}
