import { useCell } from '../data/hooks.ts'
import { type Connection, connection } from '../data/live.ts'
import { html } from '../html.ts'

const SENTENCES: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting to the stream',
  live: 'Levels update as they are published',
  reconnecting: 'Stream lost; showing the last known values while reconnecting',
  stale: 'The service lags behind its data; levels may be out of date',
  past: 'Showing the past; values do not update',
}
const SHAPES: Readonly<Record<Connection, string>> = {
  connecting: 'M6 2a4 4 0 1 1-4 4',
  live: 'M6 3a3 3 0 1 0 .01 0Z',
  reconnecting: 'M6 2a4 4 0 1 1-4 4',
  stale: 'M6 2 10.4 9.8H1.6Z',
  past: 'M6 2.2a3.8 3.8 0 1 0 .01 0ZM6 4v2.2l1.6 1',
}

/** Connection to the stream, as a shape and a word. */
export function ConnectionState() {
  const state = useCell(connection)
  return html`<span class=${`connection is-${state}`} role="status" title=${SENTENCES[state]}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d=${SHAPES[state]} /></svg>
    <span>${state}<span class="sr">: ${SENTENCES[state]}</span></span>
  </span>`
}
