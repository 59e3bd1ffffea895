import type { FoundObservation } from '../../protocol/resources/found-observation.ts'
import type { ObservationPayloads } from '../../protocol/resources/observation-payloads.ts'
import type { Api } from '../data/api-client.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Facts } from '../parts/facts.ts'
import { ErrorNote, Loading } from '../parts/notes.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { BookStep } from './book-step.ts'
import { bookOf, factsOfRecord, hasPayloads, sourceIdsOf } from './lineage-model.ts'
import { findObservation, getPayloads } from './reads.ts'

/** One record of a lineage: its values and instants, what it derives from, and what the venue sent. */
export function RecordStep({ api, record_id }: { api: Api; record_id: string }) {
  const read = useLoaded(`record ${record_id} ${api.as_of}`, (signal) => findObservation(api, record_id, signal))
  return html`<section aria-labelledby="step-record"><h2 id="step-record">3. Record</h2>
      ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Record" />`}
      ${read.state === 'loading' && html`<${Loading} what="record" />`}
      ${read.state === 'ready' && html`<${RecordFacts} found=${read.data.data} chain=${read.data.meta.correction_chain ?? []} />`}
      ${read.state === 'ready' && html`<${BookOfRecord} found=${read.data.data} />`}
    </section>
    ${hasPayloads(record_id) && html`<${PayloadStep} record_id=${record_id} />`}`
}

function BookOfRecord({ found }: { found: FoundObservation }) {
  const at = bookOf(found)
  return at === null ? null : html`<${BookStep} key=${found.observation_id} at=${at} found=${found} />`
}

function RecordFacts({ found, chain }: { found: FoundObservation; chain: readonly string[] }) {
  const shown = useCell(route)
  const { index_id, observation_id } = shown
  const to = (record_id: string) => linkTo(shown, { view: 'lineage', index_id, observation_id, record_id })
  const links = (ids: readonly string[]) =>
    html`<ul class="keys">${ids.map((id) => html`<li key=${id}><a href=${to(id)}><code class="hash">${id}</code></a></li>`)}</ul>`
  const sources = sourceIdsOf(found)
  return html`<${Facts} facts=${[
    ['Kind', found.kind.replaceAll('_', ' ')],
    ...factsOfRecord(found),
    ['Derives from', sources.length === 0 ? null : links(sources)],
    ['Revisions', chain.length < 2 ? null : links(chain)],
  ]} />`
}

const COLUMNS: readonly Column[] = [
  ['SHA-256', 'head'],
  ['Endpoint', 'text'],
  ['Request', 'text'],
  ['Bytes', 'number'],
  ['Received, UTC', 'instant'],
  ['Published, UTC', 'instant'],
]

function PayloadStep({ record_id }: { record_id: string }) {
  const { content_hash } = useCell(route)
  const read = useLoaded(`payloads ${record_id}`, (signal) => getPayloads(record_id, null, signal))
  if (read.state === 'failed')
    return html`<section aria-labelledby="step-payload"><h2 id="step-payload">4. Payload as received</h2><${ErrorNote} error=${read.error} what="Payload" /></section>`
  if (read.state === 'loading') return html`<${Loading} what="payloads" />`
  return html`<${PayloadTable} read=${read.data} record_id=${record_id} />
    ${content_hash !== null && html`<${PayloadText} key=${content_hash} record_id=${record_id} content_hash=${content_hash} />`}`
}

function PayloadTable({ read, record_id }: { read: ObservationPayloads; record_id: string }) {
  const shown = useCell(route)
  const { index_id, observation_id } = shown
  const rows = read.payloads.map(({ content_hash, endpoint, request, byte_count, received_at, published_at }) => ({
    key: `${endpoint} ${request} ${content_hash}`,
    cells: [
      html`<a href=${linkTo(shown, { view: 'lineage', index_id, observation_id, record_id, content_hash })}><code class="hash">${content_hash}</code></a>`,
      endpoint,
      request ?? html`<span class="none">none</span>`,
      byte_count.toLocaleString('en-US'),
      showInstant(received_at),
      showInstant(published_at),
    ],
  }))
  const above =
    read.payloads_omitted > 0 && html`<p class="quiet">${read.payloads_omitted} further payloads of this instant</p>`
  const empty = `No payload is stored of ${read.venue_id} at this instant`
  return html`<${RecordTable} id="step-payload" title="4. Payload as received" columns=${COLUMNS} rows=${rows} empty=${empty} above=${above} />`
}

function PayloadText({ record_id, content_hash }: { record_id: string; content_hash: string }) {
  const read = useLoaded(`payload ${content_hash}`, (signal) => getPayloads(record_id, content_hash, signal))
  return html`<section aria-labelledby="payload-title"><h3 id="payload-title">Text, word for word</h3>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Payload" />`}
    ${read.state === 'loading' && html`<${Loading} what="payload" />`}
    ${read.state === 'ready' && html`<pre class="payload" tabindex="0">${read.data.payloads[0]?.body ?? ''}</pre>`}
  </section>`
}
