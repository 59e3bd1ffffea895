import { useCell } from '../../data/hooks.ts'
import { html } from '../../html.ts'
import { PRODUCTION } from '../account/account.ts'
import { closeSession, type Session } from '../account/session.ts'
import type { FeedState } from '../data/account-feed.ts'
import { Amount } from '../parts/names.ts'

const SENTENCES: Readonly<Record<FeedState, string>> = {
  reading: '… loading',
  live: '● Account connected',
  reconnecting: '↻ reconnecting',
  polling: '↻ updates every 5 s',
}

/** Bar with the environment, the account and its signer; always visible. */
export function AccountBar({ environment, session }: { environment: string; session: Session | null }) {
  return html`<div class=${`account-bar ${environment === PRODUCTION ? 'is-production' : ''}`} role="region" aria-label="Account">
    <span class="environment" title="Environment that signatures are valid for">${environment}</span>
    ${session === null ? html`<span class="quiet">No account connected</span>` : html`<${OpenAccount} session=${session} />`}
  </div>`
}

function OpenAccount({ session }: { session: Session }) {
  const { feed, account, signer } = session
  const state = useCell(feed.state)
  const policy = useCell(feed.policy)
  const { balances } = useCell(feed.records)
  const problem = useCell(feed.problem)
  return html`<span><span class="quiet">account</span> <code>${policy?.account_id ?? account.account_id ?? '…'}</code>${policy?.blocked && html` <b class="complaint">blocked</b>`}</span>
    ${[...balances.values()].map((one) => html`<span key=${one.asset_id}><span class="quiet">available</span> <b class="available"><${Amount} text=${one.available} /></b> <span class="quiet">${one.asset_id}</span></span>`)}
    <span class="quiet">${signer === null ? 'no signer' : html`signed by ${signer.kind === 'wallet' ? 'wallet' : 'key'} <code title=${signer.address}>${signer.address.slice(0, 8)}…${signer.address.slice(-4)}</code>`}</span>
    <span class=${`feed is-${state}`} role="status">${SENTENCES[state]}</span>
    <button type="button" onClick=${closeSession}>Disconnect</button>
    ${problem !== null && html`<p class="complaint" role="alert">${problem.message} <code>${problem.code}</code></p>`}`
}
