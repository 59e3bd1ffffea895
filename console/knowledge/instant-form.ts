import { useState } from 'preact/hooks'
import { showInstant } from '../data/instant-text.ts'
import { go } from '../data/route.ts'
import { html } from '../html.ts'
import { comparedOf } from './model.ts'

type FormProps = { readonly from: string | null; readonly to: string | null }

/** Form for the two instants of a comparison; what is written goes into the address. */
export function InstantForm({ from, to }: FormProps) {
  const [written, write] = useState({ from: textOf(from), to: textOf(to) })
  const [refused, refuse] = useState<string | null>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    const compared = comparedOf(written)
    refuse(compared.refused)
    if (compared.refused === null) go({ from: compared.from, to: compared.to })
  }
  const field = (name: 'from' | 'to', label: string) => html`<label for=${`knowledge-${name}`}>${label}</label>
    <input id=${`knowledge-${name}`} value=${written[name]} placeholder="2026-01-17 08:30" aria-invalid=${String(refused !== null)}
      onInput=${(event: Event) => write({ ...written, [name]: (event.target as HTMLInputElement).value })} />`
  return html`<form class="instants" onSubmit=${submit}>
    ${field('from', 'Known at (UTC)')}
    ${field('to', 'and at (UTC)')}
    <button type="submit">Compare</button>
    ${refused !== null && html`<p class="complaint" role="alert">${refused}</p>`}
  </form>`
}

function textOf(instant: string | null): string {
  return instant === null ? '' : showInstant(instant)
}
