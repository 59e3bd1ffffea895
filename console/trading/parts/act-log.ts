import { useCell } from '../../data/hooks.ts'
import { instantOf, showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { type Act, acts } from '../data/acts.ts'
import { Refusal } from './refusal.ts'

const WORDS: Readonly<Record<Act['state'], string>> = {
  sending: '… sending',
  repeating: '↻ retrying',
  done: '✓ done',
  refused: '✕ rejected',
}

/** Recent actions of the user with their results, newest first. */
export function ActLog() {
  const shown = useCell(acts)
  return html`<div class="acts">
    <h2 id="acts-title">Recent actions</h2>
    <div role="log" aria-live="polite" aria-labelledby="acts-title">
      <ol>${shown.map((act) => html`<${ActItem} key=${act.number} act=${act} />`)}</ol>
    </div>
    ${shown.length === 0 && html`<p class="quiet">No actions yet</p>`}
  </div>`
}

function ActItem({ act }: { act: Act }) {
  const { at, what, state, summary, repeat, error } = act
  const time = showInstant(instantOf(Math.floor(at / 1000) * 1000)).slice(11)
  return html`<li class=${`act is-${state}`}>
    <p><span class="state">${WORDS[state]}</span> ${what} <span class="quiet">${time} UTC</span></p>
    ${summary !== null && html`<p class="quiet">${summary}</p>`}
    ${
      repeat !== null &&
      html`<p class="quiet">${repeat.error.message} <code>${repeat.error.code}</code>: attempt ${repeat.attempt + 1}. Retries share the
        Idempotency-Key <code class="hash">${repeat.idempotency_key}</code>, so the action takes effect at most once.</p>`
    }
    ${error !== null && html`<${Refusal} error=${error} live=${false} />`}
  </li>`
}
