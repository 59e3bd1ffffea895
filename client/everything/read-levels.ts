import { verifyReceipt } from '../../pipelines/transparency/receipt.ts'
import type { NoteKey } from '../../pipelines/transparency/signed-note.ts'
import { isObject } from '../../primitives/canonical-json.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { AnswerApi } from '../http/public-api.ts'
import type { Query } from '../http/query.ts'
import { checkIncluded } from './check-included.ts'
import type { CheckedLog } from './check-log.ts'
import type { Findings } from './report.ts'

export type LevelsAsked = {
  readonly index_id: string
  readonly as_of: string
  /** Earliest publication; null: all. */
  readonly since: string | null
  /** Log that has the levels; null: there is none. */
  readonly log: CheckedLog | null
}

/**
 * Reads every revision of every level of an index with its inputs, page by page, and checks that the log has them as they are served.
 * The log was read as a whole before, so no level needs a proof of its own.
 */
export async function* readLevels(
  api: AnswerApi,
  asked: LevelsAsked,
  findings: Findings,
): AsyncGenerator<readonly IndexObservation[]> {
  const path = `/indexes/${asked.index_id}/prices`
  const query = { include_corrections: true, as_of: asked.as_of, start_time: asked.since }
  const pages = api.answers(path, { ...query, expand: 'inputs,quotes' })
  const first = await firstPage(pages)
  if (first === null) {
    yield* readOneByOne(api, path, query, asked, findings)
    return
  }
  for (let page = first; page.done !== true; ) {
    // The service reads the next page while this one is verified.
    const next = pages.next()
    next.catch(() => undefined)
    const levels = page.value.data as readonly IndexObservation[]
    await includeLevels(api, asked, levels, findings)
    yield levels
    page = await next
  }
}

type Pages = ReturnType<AnswerApi['answers']>

/** Reads the first page with inputs and quotes; null: the service is of a release that does not embed them in a list. */
async function firstPage(pages: Pages): Promise<Awaited<ReturnType<Pages['next']>> | null> {
  try {
    return await pages.next()
  } catch (error) {
    if (isServiceError(error, 'VALIDATION_PARAMETER_UNKNOWN')) return null
    throw error
  }
}

async function includeLevels(
  api: AnswerApi,
  { index_id, log }: LevelsAsked,
  levels: readonly IndexObservation[],
  findings: Findings,
): Promise<void> {
  if (log === null) return
  const records = levels.map(({ quotes: _beside, ...record }) => {
    const { observation_id: record_id, published_at } = record
    const proof = `/indexes/${index_id}/prices/${record_id}/proof`
    return { kind: 'index_observation', record_id, published_at, record, proof }
  })
  await Promise.all(records.map((record) => checkIncluded(api, log, record, findings)))
}

/** Reads the levels of a service of an earlier release: with a log, a page has a receipt. */
async function* readOneByOne(
  api: AnswerApi,
  path: string,
  query: Query,
  { index_id, log }: LevelsAsked,
  findings: Findings,
): AsyncGenerator<readonly IndexObservation[]> {
  if (log === null) {
    for await (const page of api.pages<IndexObservation>(path, query)) yield* detailsOf(api, path, page)
    return
  }
  for await (const answer of api.answers(path, { ...query, receipt: true }))
    yield provenPage(answer, { index_id, key: log.key }, findings)
}

/** Levels that are read at once. */
const AT_ONCE = 8

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
