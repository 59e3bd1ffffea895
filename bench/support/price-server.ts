import { ChildProcess } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import fastify from 'fastify'
import { serveApi } from '../../api/serve.ts'

/** Kind of a server process: the API over a warehouse, or a bare route that returns the same bytes. */
export type PriceServer =
  | { readonly kind: 'api'; readonly root: string }
  | { readonly kind: 'bare'; readonly body: string; readonly headers: Readonly<Record<string, string>> }

/** Answer to `usage`: CPU time used so far and number of engine calls, here or in the query processes. */
export type Usage = { readonly cpu_s: number; readonly engine_calls: number }

const [argument = ''] = process.argv.slice(2)
const asked = JSON.parse(argument) as PriceServer
const LIMIT = { rate: 1e9, burst: 1e9 }
let engine_calls = 0

/** Counts every call of a method, from any caller. */
function count(prototype: object, names: readonly string[]): void {
  const methods = prototype as Record<string, (...values: unknown[]) => unknown>
  for (const name of names) {
    const method = methods[name]!
    methods[name] = function counted(this: unknown, ...values: unknown[]) {
      engine_calls += 1
      return method.apply(this, values)
    }
  }
}

async function serve(): Promise<string> {
  if (asked.kind === 'api') {
    count(DuckDBConnection.prototype, ['run', 'stream', 'prepare'])
    count(DuckDBPreparedStatement.prototype, ['run', 'stream'])
    count(ChildProcess.prototype, ['send'])
    const rate_limits = { market_data: { keyed: LIMIT, anonymous: LIMIT } }
    const { base_url } = await serveApi({
      warehouse_root: asked.root,
      host: '127.0.0.1',
      port: 0,
      environment: 'bench',
      rate_limits,
    })
    return base_url
  }
  const { body, headers } = asked
  const app = fastify({ keepAliveTimeout: 72_000 })
  app.get('/v1/indexes/:index_id/price', (_request, reply) => reply.headers(headers).send(body))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!({ cpu_s: (user + system) / 1e6, engine_calls } satisfies Usage)
})
process.on('disconnect', () => process.exit(0))
process.send!({ base_url: await serve() })
