import type { Policy, Roster } from '../../../protocol/resources/governance.ts'
import { type Api, urlOf } from '../../data/api-client.ts'
import { useCell } from '../../data/hooks.ts'
import { showInstant } from '../../data/instant-text.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { type Fact, Facts } from '../../parts/facts.ts'
import { expiryOf, showRemaining } from '../model/deadline.ts'
import { minuteOf } from '../model/words.ts'
import type { ServiceClock } from '../use-service-clock.ts'
import { Hash } from './hash.ts'

type HeadProps = {
  readonly api: Api
  readonly kind: 'roster' | 'policy'
  readonly document: Roster | Policy
  readonly clock: ServiceClock
  readonly facts: readonly Fact[]
}

/** Head of a roster or policy: version, hashes, validity, and a warning before it expires. */
export function DocumentHead({ api, kind, document: one, clock, facts }: HeadProps) {
  const shown = useCell(route)
  const to = (version: number) => linkTo(shown, { view: kind, version: String(version) })
  const proposal = linkTo(shown, { view: 'governance', proposal_id: one.proposal_id })
  const { as_of } = api
  const address = urlOf(`/governance/${kind}`, { version: one.version, ...(as_of === null ? {} : { as_of }) })
  return html`<${ExpiryNote} kind=${kind} expires_at=${one.expires_at} clock=${clock} />
    <p class="beside">
      <b>Version ${one.version}</b>${shown.version === null && html` <span class="tag">in force</span>`}
      ${one.version > 1 && html` <a href=${to(one.version - 1)}>Version ${one.version - 1}</a>`}
      ${shown.version !== null && html` <a href=${linkTo(shown, { view: kind })}>Version in force</a>`}
    </p>
    <${Facts} facts=${[
      ...facts,
      ['Effective from', `${showInstant(one.effective_from)} UTC`],
      ['Expires', `${showInstant(one.expires_at)} UTC, ${showRemaining(one.expires_at, clock.now_ms)}`],
      ['Record hash', html`<${Hash} text=${one.record_hash} />`],
      ['Hash before', html`<${Hash} text=${one.previous_hash} />`],
      ['Proposal', html`<a href=${proposal}><code class="hash">${one.proposal_id}</code></a>`],
      ['Record', html`<a href=${address} target="_blank" rel="noopener">${kind} ${one.version}</a>`],
    ]} />
    <details><summary>Text as signed</summary><pre class="signed">${one.signed_content}</pre></details>`
}

function ExpiryNote({ kind, expires_at, clock }: { kind: string; expires_at: string; clock: ServiceClock }) {
  const state = expiryOf(expires_at, clock.now_ms)
  if (state === null) return null
  const text =
    state === 'soon'
      ? `This ${kind} expires ${showRemaining(expires_at, clock.now_ms)}, on ${minuteOf(expires_at)} UTC. Propose its successor.`
      : `This ${kind} expired ${minuteOf(expires_at)} UTC: every act is refused, except one on its successor.`
  return html`<div class=${`note-box ${state === 'expired' ? 'alarm' : ''}`} role="status"><p>${text}</p></div>`
}
