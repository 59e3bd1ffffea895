import type { BackfillRun } from '../../protocol/operator/ingest.ts'
import { showMinute } from '../data/instant-text.ts'
import { html } from '../html.ts'
import { Empty } from './notes.ts'

/** The latest backfills, running ones first. */
export function BackfillTable({ backfills }: { backfills: readonly BackfillRun[] }) {
  return html`<section aria-labelledby="backfills-title">
    <h2 id="backfills-title">Backfills</h2>
    ${
      backfills.length === 0
        ? html`<${Empty}>No backfills yet. Start one with <code>tidemark backfill</code>.<//>`
        : html`<div class="scroll" tabindex="0" role="group" aria-label="Backfills">
            <table class="ingest">
              <thead>
                <tr>
                  <th scope="col">Subject</th>
                  <th scope="col">From, UTC</th>
                  <th scope="col">To, UTC</th>
                  <th scope="col">State</th>
                  <th scope="col">Progress</th>
                  <th scope="col" class="number">New records</th>
                  <th scope="col">Updated, UTC</th>
                </tr>
              </thead>
              <tbody>${ordered(backfills).map((one) => html`<${BackfillRow} key=${one.backfill_id} one=${one} />`)}</tbody>
            </table>
          </div>`
    }
  </section>`
}

function BackfillRow({ one }: { one: BackfillRun }) {
  const { subject_id, chunks_done, chunks_total, records_new, state } = one
  return html`<tr>
    <th scope="row">${subject_id}</th>
    <td class="instant">${showMinute(one.from)}</td>
    <td class="instant">${showMinute(one.to)}</td>
    <td><span class=${`tag is-${state}`}>${state}</span></td>
    <td>
      ${
        chunks_total === 0
          ? html`<span class="quiet">${state === 'planning' ? 'planning …' : 'not planned'}</span>`
          : html`<progress max=${chunks_total} value=${chunks_done} aria-label=${`Backfill of ${subject_id}`}></progress>
              <span class="small"> ${chunks_done.toLocaleString('en-US')} of ${chunks_total.toLocaleString('en-US')} chunks</span>`
      }
    </td>
    <td class="number">${records_new.toLocaleString('en-US')}</td>
    <td class="instant">${showMinute(one.updated_at.replace(/\.\d+Z$/, 'Z'))}</td>
  </tr>`
}

function ordered(backfills: readonly BackfillRun[]): readonly BackfillRun[] {
  const runs = ({ state }: BackfillRun) => (state === 'running' || state === 'planning' ? 0 : 1)
  return backfills.toSorted((a, b) => runs(a) - runs(b))
}
