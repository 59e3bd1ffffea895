import { html } from '../../html.ts'
import type { Check, Verdict } from '../verdict.ts'

const SIGNS: Readonly<Record<Check['outcome'], string>> = { passed: '✓', failed: '✗', skipped: '–' }
const WORDS: Readonly<Record<Verdict['state'], string>> = {
  verified: 'Verified',
  failed: 'Verification failed',
  waiting: 'Not in the log yet',
  unable: 'Could not be checked',
}

/** Result of a verification: what it means, and each check with its outcome in a sign, a word and a color. */
export function CheckList({ verdict: { state, checks, meaning } }: { verdict: Verdict }) {
  return html`<div class=${`verdict is-${state}`} role=${state === 'failed' ? 'alert' : 'status'}>
    <p><b>${state === 'verified' ? '✓ ' : state === 'failed' ? '✗ ' : ''}${WORDS[state]}.</b> ${meaning}</p>
    ${
      checks.length > 0 &&
      html`<ul>
        ${checks.map(
          ({ name, outcome, detail }) => html`<li key=${name} class=${`is-${outcome}`}>
            <span aria-hidden="true">${SIGNS[outcome]}</span> <b>${name}</b> ${outcome}: ${detail}
          </li>`,
        )}
      </ul>`
    }
  </div>`
}
