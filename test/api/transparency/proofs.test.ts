import { beforeAll, describe, expect, test } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { type LogEntry, parseEntry } from '../../../pipelines/transparency/log-entry.ts'
import { verifyReceipt } from '../../../pipelines/transparency/receipt.ts'
import { parseRecordProof, type RecordProof, verifyRecordProof } from '../../../pipelines/transparency/record-proof.ts'
import { keyText } from '../../../pipelines/transparency/signed-note.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { type LogReader, openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { LOG_KEY, signedBy } from '../../support/log/log-keys.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { wholeWarehouse } from '../../support/whole-warehouse.ts'
import { rowOf, serve } from '../acceptance/served.ts'

const root = await wholeWarehouse(tempFolder())
const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
const api = await serve(root)

/** Path of a logged record below /v1, from the record itself; null: it has none. */
const PATHS: Readonly<Record<string, (record: Record<string, string>) => string>> = {
  'index_observation/1': ({ index_id, observation_id }) => `/indexes/${index_id}/prices/${observation_id}`,
  'index_version/1': ({ index_id, index_version_id }) => `/indexes/${index_id}/versions/${index_version_id}`,
  'methodology/1': ({ methodology_id, version }) => `/methodologies/${methodology_id}/versions/${version}`,
  'rating_methodology/1': ({ methodology_id, version }) =>
    `/market-rating-methodologies/${methodology_id}/versions/${version}`,
  'severity_methodology/1': ({ methodology_id, version }) =>
    `/severity-methodologies/${methodology_id}/versions/${version}`,
  'rating/1': ({ rating_id }) => `/ratings/${rating_id}`,
  'severity/1': ({ assessment_id }) => `/severity-assessments/${assessment_id}`,
}

const OPERATIONS: Readonly<Record<string, OperationId>> = {
  'index_observation/1': 'get_index_observation_proof',
  'index_version/1': 'get_index_version_proof',
  'methodology/1': 'get_methodology_proof',
  'rating_methodology/1': 'get_rating_methodology_proof',
  'severity_methodology/1': 'get_severity_methodology_proof',
  'rating/1': 'get_rating_proof',
  'severity/1': 'get_severity_assessment_proof',
}

async function append(): Promise<void> {
  const warehouse = await openWarehouse({ root, create: true })
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  writer.close()
  await warehouse.close()
}

const raw = (path: string, accept = '*/*') => fetch(`${api.base_url}${path}`, { headers: { accept } })

describe('before there is a log', () => {
  test('a proof and a receipt are pending, and say when to ask again', async () => {
    const [index] = (await api.get('/indexes/idx_harbor/prices?limit=1')).body.data as Record<string, string>[]
    for (const path of [
      `/indexes/idx_harbor/prices/${index!.observation_id}/proof`,
      `/indexes/idx_harbor/price?as_of=${index!.published_at}&receipt=true`,
    ]) {
      const response = await raw(`/v1${path}`)
      expect([response.status, await errorCode(response)]).toEqual([404, 'PROOF_PENDING'])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  test.each(['/log/checkpoint', '/log/vkey', '/log/tile/0/000'])('%s does not exist', async (path) => {
    const response = await raw(path)
    expect([response.status, await errorCode(response)]).toEqual([404, 'LOG_NOT_FOUND'])
  })
})

/** An answer without the fields that its form does not have. */
function atFirst(form: string, data: unknown): unknown {
  if (form !== 'index_version/1') return data
  const { governance, proposal_id, announced_at, effective_at, ...first } = data as Record<string, unknown>
  expect({ governance, proposal_id, announced_at, effective_at }).toEqual({
    ...{ governance: 'none', proposal_id: null, announced_at: null, effective_at: null },
  })
  return first
}

describe('a served log', () => {
  let log: LogReader
  const entries: LogEntry[] = []
  beforeAll(async () => {
    await append()
    log = openLogReader(root)
    const { size } = (await log.checkpoint())!
    for (let index = 0; index < size; index += 1) entries.push(parseEntry(await log.entry(index)))
  })

  const byForm = (form: string) => entries.filter((entry) => entry.form === form)
  /** Text of a record as its proof gives it. */
  const proofAt = async (path: string, operation: OperationId): Promise<RecordProof> => {
    const answer = await api.get(`${path}/proof`)
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
    assertMatchesOperation(operation, answer.body)
    return answer.body.data as RecordProof
  }

  test.each(Object.keys(PATHS))('%s: every record has a proof, whose text is the answer of its time', async (form) => {
    const logged = byForm(form)
    expect(logged.length).toBeGreaterThan(0)
    for (const entry of sample(logged)) {
      const path = await pathOf(entry)
      const proof = await proofAt(path, OPERATIONS[form]!)
      const proven = verifyRecordProof(proof, LOG_KEY.key)
      expect(proven.entry).toEqual(entry)
      const expand = form === 'index_observation/1' ? '&expand=inputs' : ''
      const then = await api.get(`${path}?as_of=${entry.published_at}${expand}`)
      expect(canonicalJson(atFirst(form, then.body.data))).toBe(proof.record_text)
      const offline = await (await raw(`/v1${path}/proof`, 'text/plain')).text()
      expect(parseRecordProof(offline)).toEqual(proof)
    }
  })

  test('the constituents of a version have a proof', async () => {
    for (const entry of byForm('constituents/1')) {
      const path = await pathOf(byForm('index_version/1').find(({ record_id }) => record_id === entry.record_id)!)
      const proof = await proofAt(`${path}/constituents`, 'get_constituents_proof')
      expect(verifyRecordProof(proof, LOG_KEY.key).entry).toEqual(entry)
      expect(canonicalJson((await api.get(`${path}/constituents?limit=1000`)).body.data)).toBe(proof.record_text)
    }
  })

  test('an altered text, level or time does not verify', async () => {
    const proof = await proofAt(await pathOf(byForm('index_observation/1')[0]!), 'get_index_observation_proof')
    const other = { ...proof, record_text: proof.record_text.replace(/"level":"\d/, '"level":"9') }
    expect(() => verifyRecordProof(other, LOG_KEY.key)).toThrow('SHA-256 of record_text')
    expect(() => verifyRecordProof({ ...proof, index: proof.index + 1 }, LOG_KEY.key)).toThrow('inclusion proof')
    expect(() => verifyRecordProof(proof, { ...LOG_KEY.key, name: 'log.example/other' })).toThrow('origin')
  })

  test.each([
    ['/indexes/idx_harbor/price', 'index_observation'],
    ['/indexes/idx_harbor/versions/VERSION', 'index_version'],
  ])('%s as of an instant has a receipt, which is checked without the server', async (path, kind) => {
    const version = rowOf(await api.get('/indexes/idx_harbor')).active_version_id
    const level = rowOf(await api.get('/indexes/idx_harbor/price'))
    const asked = `${path.replace('VERSION', String(version))}?as_of=${level.published_at}`
    const plain = await api.get(asked)
    const { body } = await api.get(`${asked}&receipt=true`)
    expect(body.data).toEqual(plain.body.data)
    assertMatchesOperation(kind === 'index_version' ? 'get_index_version' : 'get_index_price', body)
    const { record, seal } = verifyReceipt(body, LOG_KEY.key)
    expect([record!.entry.kind, seal.entry.kind]).toEqual([kind, 'seal'])
    const later = structuredClone(body) as unknown as { meta: { as_of: string } }
    later.meta.as_of = '2099-01-01T00:00:00Z'
    expect(() => verifyReceipt(later, LOG_KEY.key)).toThrow('through which the seal reaches')
    const altered = structuredClone(body) as unknown as { data: Record<string, unknown> }
    altered.data.index_id = 'idx_other'
    expect(() => verifyReceipt(altered, LOG_KEY.key)).toThrow('index_id of the answer')
  })

  const LISTS: readonly (readonly [path: string, operation: OperationId, is_logged: boolean])[] = [
    ['/indexes/idx_harbor/prices', 'list_index_prices', true],
    ['/indexes/idx_harbor/versions', 'list_index_versions', true],
    ['/methodologies', 'list_methodologies', true],
    ['/indexes', 'list_indexes', false],
    ['/markets', 'list_markets', false],
  ]
  test.each(LISTS)('%s has a receipt as a list, which says what it leaves open', async (path, operation, is_logged) => {
    const { published_at } = rowOf(await api.get('/indexes/idx_harbor/price'))
    const { body } = await api.get(`${path}?as_of=${published_at}&receipt=true&limit=20`)
    assertMatchesOperation(operation, body)
    const { records, unproven } = verifyReceipt(body, LOG_KEY.key)
    const shown = (body.data as unknown[]).length
    expect(shown).toBeGreaterThan(0)
    expect(records).toHaveLength(is_logged ? shown : 0)
    expect(unproven.some((sentence) => sentence.includes('the log has none of this kind'))).toBe(!is_logged)
    if (!is_logged) return
    const altered = structuredClone(body) as unknown as { data: Record<string, unknown>[] }
    altered.data[0]!.published_at = '2001-01-01T00:00:00Z'
    expect(() => verifyReceipt(altered, LOG_KEY.key)).toThrow('published_at of the answer')
    altered.data.pop()
    expect(() => verifyReceipt(altered, LOG_KEY.key)).toThrow('records of the receipt')
  })

  test('the constituents of a version are one record, of which a receipt proves any page', async () => {
    const { active_version_id } = rowOf(await api.get('/indexes/idx_harbor'))
    const { published_at } = rowOf(await api.get('/indexes/idx_harbor/price'))
    const path = `/indexes/idx_harbor/versions/${active_version_id}/constituents?as_of=${published_at}&receipt=true`
    for (const more of ['', '&limit=1', '&expand=market']) {
      const { body } = await api.get(`${path}${more}`)
      assertMatchesOperation('list_constituents', body)
      const { record, unproven } = verifyReceipt(body, LOG_KEY.key)
      expect(record!.entry.kind).toBe('constituents')
      expect(unproven.some((sentence) => sentence.startsWith('market: the text'))).toBe(more === '&expand=market')
      const altered = structuredClone(body) as unknown as { data: Record<string, unknown>[] }
      altered.data[0]!.target_weight = '0.9'
      expect(() => verifyReceipt(altered, LOG_KEY.key)).toThrow('target_weight of the answer')
    }
  })

  test('a receipt of a list is of a JSON answer of at most a hundred records', async () => {
    const { published_at } = rowOf(await api.get('/indexes/idx_harbor/price'))
    const path = `/v1/indexes/idx_harbor/prices?as_of=${published_at}&receipt=true`
    for (const response of [await raw(`${path}&limit=101`), await raw(path, 'text/csv')]) {
      expect([response.status, await errorCode(response)]).toEqual([400, 'VALIDATION_PARAMETER_INVALID'])
    }
  })

  test('a receipt needs an instant, and one that a seal reaches', async () => {
    const without = await raw('/v1/indexes/idx_harbor/price?receipt=true')
    expect([without.status, await errorCode(without)]).toEqual([400, 'VALIDATION_PARAMETER_MISSING'])
    const now = formatMicros(wallClock())
    const early = await raw(`/v1/indexes/idx_harbor/price?receipt=true&as_of=${now}`)
    expect([early.status, await errorCode(early)]).toEqual([404, 'PROOF_PENDING'])
  })

  test('its files are those that the layout names, and a cache may keep the full ones for ever', async () => {
    expect(await (await raw('/log/vkey')).text()).toBe(`${keyText(LOG_KEY.key)}\n`)
    const checkpoint = await raw('/log/checkpoint')
    expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await checkpoint.text()).toBe((await log.checkpoint())!.text)
    const width = entries.length % 256
    const partial = await raw(`/log/tile/0/${entries.length < 256 ? '000' : '001'}.p/${width}`)
    expect(partial.headers.get('content-type')).toBe('application/octet-stream')
    expect((await partial.arrayBuffer()).byteLength).toBe(32 * width)
    expect(partial.headers.get('cache-control')).toContain('max-age=3600')
    if (entries.length >= 256) {
      expect((await raw('/log/tile/0/000')).headers.get('cache-control')).toContain('immutable')
    }
  })

  test.each([
    '/log/tile/0/999',
    '/log/tile/0/000.p/0',
    '/log/tile/9/000',
    '/log/tile/..%2fstate.json',
    '/log/tile/entries/x000/000',
  ])('%s is not served', async (path) => {
    const response = await raw(path)
    expect([response.status, await errorCode(response)]).toEqual([404, 'LOG_NOT_FOUND'])
  })

  /** Path of the record of an entry, which its own proof names. */
  async function pathOf(entry: LogEntry): Promise<string> {
    const { form, record_id } = entry
    const [methodology_id, version] = record_id.split('@')
    const ids = {
      observation_id: record_id,
      index_version_id: record_id,
      rating_id: record_id,
      assessment_id: record_id,
    }
    const named = { ...ids, methodology_id: methodology_id!, version: version!, index_id: await indexOf(record_id) }
    return PATHS[form]!(named)
  }

  async function indexOf(record_id: string): Promise<string> {
    if (record_id.startsWith('iob_')) {
      const found = rowOf(await api.get(`/observations/${record_id}`)) as unknown as { record: { index_id: string } }
      return found.record.index_id
    }
    for (const index_id of ['idx_harbor', 'idx_pier']) {
      if ((await api.get(`/indexes/${index_id}/versions/${record_id}`)).status === 200) return index_id
    }
    return ''
  }
})

/** First, last, and every seventh between. */
function sample<T>(items: readonly T[]): T[] {
  return items.filter((_, n) => n % 7 === 0 || n === items.length - 1)
}

async function errorCode(response: Response): Promise<string | undefined> {
  return ((await response.json()) as { error?: { code: string } }).error?.code
}
