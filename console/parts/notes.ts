import type { ApiError } from '../data/api-error.ts'
import { html } from '../html.ts'

/** What stands in the place of data that is not there. */

/** What failed, why in one sentence, and the id to ask the service about. */
export function ErrorNote({ error, what }: { error: ApiError; what: string }) {
  return html`<div class="note-box alarm" role="alert">
    <p><b>${what} could not be read.</b> ${error.message}</p>
    <p class="small">
      ${
        error.request_id === null
          ? html`<code>${error.code}</code>`
          : html`<a href=${`/docs/errors/${error.code}`}><code>${error.code}</code></a>`
      }
      ${error.request_id !== null && html`, request <code class="hash">${error.request_id}</code>`}
    </p>
  </div>`
}

/** Said while an answer is awaited. */
export function Loading({ what }: { what: string }) {
  return html`<p class="quiet loading" role="status">Reading ${what} …</p>`
}

/** Said where an answer has nothing in it. */
export function Empty({ children }: { children: unknown }) {
  return html`<p class="quiet empty">${children}</p>`
}
