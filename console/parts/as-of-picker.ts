import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useCell } from '../data/hooks.ts'
import { instantOf, millisOf, parseWritten, showInstant } from '../data/instant-text.ts'
import { live_levels } from '../data/live.ts'
import { go, route } from '../data/route.ts'
import { html } from '../html.ts'

const HOUR = 3_600_000
const STEPS = [
  ['1 hour', HOUR],
  ['1 day', 24 * HOUR],
  ['7 days', 7 * 24 * HOUR],
] as const

/**
 * Moves the whole page to an earlier instant. Enter applies, Escape closes and returns focus to the button.
 */
export function AsOfPicker() {
  const { as_of } = useCell(route)
  const [is_open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const choose = (instant: string | null) => {
    close()
    go({ as_of: instant, observation_id: null })
  }
  return html`<div class="picker" onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && is_open && close()}>
    <button type="button" ref=${button} aria-expanded=${String(is_open)} aria-controls="as-of" onClick=${() => setOpen(!is_open)}>
      <span class="label">as of</span> ${as_of === null ? 'now' : html`${showInstant(as_of)} UTC`}
    </button>
    ${is_open && html`<${Panel} as_of=${as_of} choose=${choose} />`}
  </div>`
}

function Panel({ as_of, choose }: { as_of: string | null; choose: (instant: string | null) => void }) {
  const [text, setText] = useState(as_of === null ? '' : showInstant(as_of))
  const [complaint, complain] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  // Before the first paint, so no keystroke is lost.
  useLayoutEffect(() => input.current?.select(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    const instant = parseWritten(text)
    if (instant !== null) choose(instant)
    else {
      complain(
        `${text === '' ? 'No date given.' : `“${text}” is not a date.`} Use a date, or a date and time in UTC, such as 2025-12-05 08:30.`,
      )
      input.current?.focus()
    }
  }
  return html`<form id="as-of" class="panel" onSubmit=${submit} novalidate>
    <label for="as-of-text">Show data as of (UTC)</label>
    <div class="line">
      <input id="as-of-text" ref=${input} value=${text} placeholder="2025-12-05 08:30" autocomplete="off" spellcheck="false"
        aria-invalid=${String(complaint !== null)} aria-describedby="as-of-help"
        onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
      <button type="submit" class="main">Go</button>
    </div>
    <p id="as-of-help" class=${complaint === null ? 'quiet' : 'complaint'} role=${complaint === null ? undefined : 'alert'}>
      ${complaint ?? 'Applies to every number and link of the page.'}
    </p>
    <div class="line steps">
      <span class="quiet">Back by</span>
      ${STEPS.map(
        ([name, millis]) =>
          html`<button type="button" key=${name} onClick=${() => choose(instantOf(origin(as_of) - millis))}>${name}</button>`,
      )}
      ${as_of !== null && html`<button type="button" onClick=${() => choose(null)}>Now</button>`}
    </div>
  </form>`
}

/** Returns the instant that steps count back from: the one shown or, for now, the last publication. */
function origin(as_of: string | null): number {
  if (as_of !== null) return millisOf(as_of)
  const published = [...live_levels.get().values()].map(({ published_at }) => millisOf(published_at))
  const last = published.length === 0 ? Date.now() : Math.max(...published)
  return Math.floor(last / 1000) * 1000
}
