import { useCell, useNow } from '../data/hooks.ts'
import { waits_until } from '../data/live.ts'
import { html } from '../html.ts'

/** Note while the service answers no more requests from here; the page asks again by itself. */
export function WaitNote() {
  const until = useCell(waits_until)
  return until === null ? null : html`<${Countdown} until=${until} />`
}

function Countdown({ until }: { until: number }) {
  const seconds = Math.max(1, Math.ceil((until - useNow(1000)) / 1000))
  return html`<p class="wait note-box" role="status">Too many requests (429). The page asks again in ${seconds} s.</p>`
}
