import { verifyReceipt } from '../../pipelines/transparency/receipt.ts'
import type { NoteKey } from '../../pipelines/transparency/signed-note.ts'
import { isObject } from '../../primitives/canonical-json.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { RECEIPTS } from '../../protocol/limits.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { AnswerApi } from '../http/public-api.ts'
import type { Findings } from './report.ts'

export type LevelsAsked = {
  readonly index_id: string
  readonly as_of: string
  /** Earliest publication; null: all. */
  readonly since: string | null
  /** Key of the log; null: levels are read without proofs. */
  readonly key: NoteKey | null
}

/** Levels without a log that are read at once. */
const AT_ONCE = 8

/**
 * Reads every revision of every level of an index with its inputs, page by page. With a log, a page has a receipt: a few requests bring
 * the texts of a year and their proofs.
 */
export async function* readLevels(
  api: AnswerApi,
  asked: LevelsAsked,
  findings: Findings,
): AsyncGenerator<readonly IndexObservation[]> {
  const { index_id, as_of, since, key } = asked
  const query = { include_corrections: true, as_of, start_time: since }
  const path = `/indexes/${index_id}/prices`
  if (key === null) {
    for await (const page of api.pages<IndexObservation>(path, query)) yield* detailsOf(api, path, page)
    return
  }
  for (let cursor: string | null = null, is_first = true; is_first || cursor !== null; is_first = false) {
    const answer = await api.answer(path, { ...query, receipt: true, limit: RECEIPTS.records_max, cursor })
    yield provenPage(answer, { index_id, key }, findings)
    cursor = answer.page?.next_cursor ?? null
  }
}

async function* detailsOf(api: AnswerApi, path: string, page: readonly IndexObservation[]) {
  for (let from = 0; from < page.length; from += AT_ONCE) {
    const some = page.slice(from, from + AT_ONCE)
    yield await Promise.all(
      some.map(({ observation_id }) => api.read<IndexObservation>(`${path}/${observation_id}`, { expand: 'inputs' })),
    )
  }
}

/** Verifies a page with its receipt, and returns the levels as the log has them. */
function provenPage(
  answer: unknown,
  { index_id, key }: { readonly index_id: string; readonly key: NoteKey },
  findings: Findings,
): readonly IndexObservation[] {
  const { data, meta } = answer as { readonly data: readonly IndexObservation[]; readonly meta: unknown }
  findings.count('included', data.length)
  try {
    verifyReceipt(answer, key)
  } catch (error) {
    if (!isServiceError(error, 'PROOF_INVALID')) throw error
    findings.fail('included', `${index_id}, page from ${data[0]?.observation_id ?? 'nothing'}`, error.message)
  }
  const receipt = isObject(meta) && isObject(meta.receipt) ? meta.receipt : {}
  const records = Array.isArray(receipt.records) ? (receipt.records as readonly { readonly record_text: string }[]) : []
  return records.map(({ record_text }) => JSON.parse(record_text) as IndexObservation)
}
