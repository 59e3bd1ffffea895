import type { ApiError } from '../data/api-error.ts'
import { html } from '../html.ts'

/** Failed read: what failed, why, and the request id for support. */
export function ErrorNote({ error, what }: { error: ApiError; what: string }) {
  return html`<div class="note-box alarm" role="alert">
    <p><b>${what} could not be loaded.</b> ${error.message}</p>
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

/** Note while a read is in progress. */
export function Loading({ what }: { what: string }) {
  return html`<p class="quiet loading" role="status">Loading ${what} …</p>`
}

/** Note in place of an empty list. */
export function Empty({ children }: { children: unknown }) {
  return html`<p class="quiet empty">${children}</p>`
}
