import { createHash } from 'node:crypto'
import { methodologyHash } from '../../../pipelines/index/methodology.ts'
import type { ParameterTexts } from '../../../pipelines/index/parameters.ts'
import { isObject } from '../../../primitives/canonical-json.ts'
import type { Methodology } from '../../../protocol/resources/methodology.ts'
import type { Answer, Asker } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'

type Reference = { readonly target: string; readonly from: string; readonly field: string }
type Hashed = { readonly target: string; readonly from: string; readonly text: string; readonly hash: string }

const FOLLOWED_MAX = 40
const ADDRESSES = ['source_uri', 'document_uri', 'text_uri', 'dispute_policy_uri']
/** Marks the address of a page of the deployment that is not below /v1. */
const SITE = 'site:'
/** Form of an external address. */
const EXTERNAL = /^(https?|urn|ipfs|tag):\S+$/

/** A6: every id and address in an answer can be fetched; a text behind a hash is served and hashes to it. */
export const REFERENCES_AGREE: Check = {
  id: 'A6',
  title: 'References',
  compares: 'ids, addresses and hashes in answers, and what they lead to',
  share: 3,
  async run(context) {
    const { ask, sampler } = context
    const answers = await sourcesOf(context)
    for (const answer of answers) for (const hashed of hashedTexts(answer)) compareHash(context, hashed)
    await methodologies(context, answers)
    const references = new Map(
      answers.flatMap((answer) => referencesOf(context, answer)).map((one) => [one.target, one]),
    )
    for (const { target, from, field } of sampler
      .shuffled([...references.values()], (one) => one.target)
      .slice(0, FOLLOWED_MAX)) {
      if (!context.more()) return
      const found = target.startsWith(SITE) ? await readSite(ask, target) : await ask.again(target)
      const side = { request: found.request, value: found.code ?? found.status }
      context.find.holds(found.status === 200, field, { request: from, value: target }, side)
    }
  },
}

/** Returns answers whose references are followed. */
async function sourcesOf({ ask, world, sampler }: CheckContext): Promise<readonly Answer[]> {
  const as_of = world.at
  const markets = await world.priced(ask)
  const indexes = sampler.shuffled((await world.indexes(ask)).data, ({ index_id }) => index_id).slice(0, 3)
  const events = sampler.shuffled((await world.events(ask)).data, ({ event_id }) => event_id).slice(0, 4)
  const ended = markets.filter(({ status }) => status === 'resolved' || status === 'voided').slice(0, 2)
  const answers = await Promise.all([
    ...markets
      .slice(0, 4)
      .flatMap(({ market_id }) => [
        ask.get(`/markets/${market_id}`, { as_of }),
        ask.get(`/markets/${market_id}/price`, { as_of }),
        ask.get(`/markets/${market_id}/rating`, { expand: 'measured', as_of }),
      ]),
    ...ended.map(({ market_id }) => ask.get(`/markets/${market_id}/resolution`, { as_of })),
    ...indexes.flatMap(({ index_id, active_version_id }) => [
      ask.get(`/indexes/${index_id}`, { as_of }),
      ask.get(`/indexes/${index_id}/price`, { as_of }),
      ask.get(`/indexes/${index_id}/versions`, { as_of }),
      ...(active_version_id == null
        ? []
        : [ask.get(`/indexes/${index_id}/versions/${active_version_id}/constituents`, { as_of })]),
    ]),
    ...events.flatMap(({ event_id }) => [
      ask.get(`/events/${event_id}`, { as_of }),
      ask.get(`/events/${event_id}/severity`, { assessment_type: 'observed', expand: 'measured', as_of }),
    ]),
  ])
  return answers.filter(({ status }) => status === 200)
}

/** Returns every address that the ids of an answer stand for, by the prefix of the id and the parent beside it. */
function referencesOf({ find, world }: CheckContext, answer: Answer): Reference[] {
  const found: Reference[] = []
  const add = (field: string, path: string | null) => {
    if (path !== null) found.push({ target: path, from: answer.request, field })
  }
  walk(answer.data, '', {}, (field, value, parents) => {
    const name = field
      .split('.')
      .at(-1)!
      .replace(/\[\d+\]$/, '')
    if (ADDRESSES.includes(name)) {
      if (value.startsWith('/v1/')) add(field, value.slice('/v1'.length))
      else if (value.startsWith('/')) add(field, `${SITE}${value}`)
      else {
        const form = { request: 'form of an address', value: String(EXTERNAL) }
        find.holds(EXTERNAL.test(value), field, { request: answer.request, value }, form)
      }
      return
    }
    add(field, pathOfId(value, parents) ?? alone(world.paths, value))
    if (/^rat_|^asm_/.test(value) && alone(world.paths, value) === null)
      find.lacks('ratings and assessments by their id')
  })
  return found
}

function pathOfId(id: string, { market_id, index_id }: Parents): string | null {
  if (/^mkt_\w+$/.test(id)) return `/markets/${id}`
  if (/^evt_\w+$/.test(id)) return `/events/${id}`
  if (/^idx_\w+$/.test(id)) return `/indexes/${id}`
  if (/^idv_\w+$/.test(id) && index_id !== undefined) return `/indexes/${index_id}/versions/${id}`
  if (/^iob_\w+$/.test(id) && index_id !== undefined) return `/indexes/${index_id}/prices/${id}`
  if (/^(obs|mrk)_\w+\.\w+$/.test(id) && market_id !== undefined) return `/markets/${market_id}/prices/${id}`
  return null
}

/** Returns the address of a record by its id alone, where the deployment has such a path. */
function alone(paths: ReadonlySet<string>, id: string): string | null {
  const parameter = RECORD_PARAMETERS[id.split('_')[0]!]
  const path = [...paths].find((one) => one.endsWith(`/{${parameter}}`) && one.split('{').length === 2)
  return parameter === undefined || path === undefined ? null : path.replace(/^\/v1/, '').replace(`{${parameter}}`, id)
}

const RECORD_PARAMETERS: Readonly<Record<string, string>> = { rat: 'rating_id', asm: 'assessment_id' }

type Parents = { readonly market_id?: string | undefined; readonly index_id?: string | undefined }

/** Visits every text of a JSON value with the ids of the objects around it. */
function walk(
  value: unknown,
  field: string,
  parents: Parents,
  visit: (field: string, value: string, parents: Parents) => void,
) {
  if (typeof value === 'string') return visit(field, value, parents)
  if (Array.isArray(value)) for (const [i, item] of value.entries()) walk(item, `${field}[${i}]`, parents, visit)
  if (!isObject(value)) return
  const text = (name: 'market_id' | 'index_id') => (typeof value[name] === 'string' ? value[name] : parents[name])
  const around = { market_id: text('market_id'), index_id: text('index_id') }
  for (const [name, item] of Object.entries(value)) {
    if (name !== 'definition' && name !== 'measured' && name !== 'mapping_id')
      walk(item, field === '' ? name : `${field}.${name}`, around, visit)
  }
}

function hashedTexts(answer: Answer): Hashed[] {
  const evidence = isObject(answer.data) && Array.isArray(answer.data.evidence) ? answer.data.evidence : []
  return evidence.flatMap((item: Record<string, unknown>) =>
    typeof item.measured === 'string' && typeof item.content_hash === 'string'
      ? [{ target: String(item.evidence_id), from: answer.request, text: item.measured, hash: item.content_hash }]
      : [],
  )
}

function compareHash({ find }: CheckContext, { target, from, text, hash }: Hashed): void {
  find.same(
    `content_hash of ${target}`,
    { request: from, value: hash },
    { request: `${from}: SHA-256 of measured`, value: `sha256:${sha256(text)}` },
  )
}

/** Text and hashes of every methodology that an answer names. */
async function methodologies({ ask, find, more }: CheckContext, answers: readonly Answer[]): Promise<void> {
  const named = new Map<string, string>()
  for (const { data, request } of answers)
    if (isObject(data) && typeof data.methodology_id === 'string' && typeof data.methodology_version === 'string')
      named.set(`/${kindOf(data)}/${data.methodology_id}/versions/${data.methodology_version}`, request)
  for (const [path, from] of named) {
    if (!more()) return
    const found = await ask.get<Partial<Texts> & Methodology>(path)
    const side = { request: found.request, value: found.code ?? found.status }
    if (!find.holds(found.status === 200, 'methodology_id', { request: from, value: path }, side)) continue
    const { document_uri, text_uri, text_sha256, content_hash, parameters } = found.data
    for (const [field, uri, hash] of [
      ['text_sha256', text_uri, text_sha256],
      ['content_hash', document_uri, content_hash],
    ] as const) {
      if (typeof uri !== 'string' || hash == null) continue
      const served = await readSite(ask, `${SITE}${uri}`)
      const status = { request: served.request, value: served.status }
      if (!find.holds(served.status === 200, field, { request: found.request, value: uri }, status)) continue
      const second = { request: `${served.request}: SHA-256`, value: sha256(served.text) }
      find.same(field, { request: found.request, value: hash.replace(/^sha256:/, '') }, second)
    }
    if (!path.startsWith('/methodologies/')) continue
    const computed = methodologyHash(parameters as ParameterTexts, text_sha256)
    find.same(
      'content_hash',
      { request: found.request, value: content_hash },
      { request: `${found.request}: hash of parameters and text_sha256`, value: computed },
    )
  }
}

/** Addresses of the texts behind a methodology's hashes. */
type Texts = { readonly document_uri: string; readonly text_uri: string }

async function readSite(ask: Asker, target: string) {
  const path = target.slice(SITE.length)
  const { status, text } = await ask.site(path)
  return { request: `GET ${path}`, status, text, code: null }
}

function kindOf(record: Readonly<Record<string, unknown>>): string {
  if ('rating_id' in record) return 'market-rating-methodologies'
  return 'assessment_id' in record ? 'severity-methodologies' : 'methodologies'
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
