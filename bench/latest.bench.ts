/**
 * Measures reads of an index's latest level over HTTP beside a bare Fastify route that answers the same bytes: once with the same
 * headers, once with its content type alone. In requests per second of the server's CPU; the servers take turns, and the query
 * engine is idle.
 * Goal: 0.85 of the bare route with the same headers.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { invariant } from '../primitives/errors.ts'
import type { BenchRow } from './bench-row.ts'
import { appendLevel, INDEX_ID, oneIndex } from './support/one-index.ts'
import { inTurn, median, rounded } from './support/rounds.ts'
import { type StartedServer, startPriceServer } from './support/start-price-server.ts'

/** Many short rounds, so that a busy host slows both sides alike. */
const ROUNDS = 21
const REQUESTS = 6000
/** Rounds before measuring; until then the compiler still optimizes code of both sides. */
const WARM_REQUESTS = 30_000
const CONNECTIONS = 64
const PATH = `/v1/indexes/${INDEX_ID}/price`
/** Headers that Node adds itself. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']

export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'))
  const root = join(folder, 'warehouse')
  const warehouse = await oneIndex(root)
  const servers: StartedServer[] = []
  const start = async (...asked: Parameters<typeof startPriceServer>) => {
    const server = await startPriceServer(...asked)
    servers.push(server)
    return server
  }
  try {
    await appendLevel(warehouse, 1, await warehouse.now())
    const api = await start({ kind: 'api', root })
    const { body, headers } = await answerOf(api)
    const same = await start({ kind: 'bare', body, headers })
    const plain = await start({ kind: 'bare', body, headers: { 'content-type': headers['content-type']! } })
    await compareAnswers(api, [same, plain])
    return await measure({ api, same, plain })
  } finally {
    for (const server of servers) await server.close()
    await warehouse.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Servers = Readonly<Record<'api' | 'same' | 'plain', StartedServer>>
type Name = keyof Servers

async function measure(servers: Servers): Promise<BenchRow[]> {
  const names = Object.keys(servers) as Name[]
  const rates: Record<Name, number[]> = { api: [], same: [], plain: [] }
  const before = await servers.api.usage()
  for (const name of names) await rateOf(servers[name], WARM_REQUESTS)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of inTurn(names, round)) rates[name].push(await rateOf(servers[name], REQUESTS))
  }
  const engine_calls = (await servers.api.usage()).engine_calls - before.engine_calls
  invariant(engine_calls === 0, `latest: the engine was asked ${engine_calls} times`)
  const details = {
    engine_calls,
    api_per_cpu_s: Math.round(median(rates.api)),
    same_headers_per_cpu_s: Math.round(median(rates.same)),
    content_type_only_per_cpu_s: Math.round(median(rates.plain)),
    api_rounds: rates.api.map(Math.round),
    same_headers_rounds: rates.same.map(Math.round),
  }
  const ratioTo = (other: readonly number[]) => rounded(median(rates.api.map((rate, round) => rate / other[round]!)))
  return [
    { figure: 'latest.to_bare', value: ratioTo(rates.same), unit: 'x', goal: { at_least: 0.85 }, details },
    { figure: 'latest.to_bare_content_type_only', value: ratioTo(rates.plain), unit: 'x', goal: null, details },
  ]
}

/** Returns requests per second of the server's CPU. */
async function rateOf(server: StartedServer, amount: number): Promise<number> {
  const before = await server.usage()
  const result = await autocannon({ url: `${server.base_url}${PATH}`, connections: CONNECTIONS, amount })
  const after = await server.usage()
  const answered = result['2xx']
  invariant(answered > 0 && result.non2xx === 0 && result.errors === 0, 'latest: every request is answered')
  return answered / (after.cpu_s - before.cpu_s)
}

async function answerOf({ base_url }: StartedServer) {
  const response = await fetch(`${base_url}${PATH}`)
  const body = await response.text()
  invariant(response.status === 200, `latest: ${response.status} ${body}`)
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.includes(name)))
  return { body, headers }
}

/** Checks that all servers return the same resource, and the bare route with headers the same header names. */
async function compareAnswers(api: StartedServer, others: readonly StartedServer[]): Promise<void> {
  const ours = await answerOf(api)
  const dataOf = (body: string) => JSON.stringify((JSON.parse(body) as { data: unknown }).data)
  for (const other of others) {
    const theirs = await answerOf(other)
    invariant(dataOf(ours.body) === dataOf(theirs.body), 'latest: the same resource')
    invariant(ours.body.length === theirs.body.length, 'latest: as many bytes')
  }
  const names = (headers: object) => Object.keys(headers).sort().join(' ')
  invariant(names(ours.headers) === names((await answerOf(others[0]!)).headers), 'latest: the same headers')
}
