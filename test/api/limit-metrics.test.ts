import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveApi } from '../../api/serve.ts'
import { LIMITS } from '../../protocol/limit-table.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Names of the `connections` limits whose metric is of this kind, without their group. */
function limitsOf(kind: 'timed_out' | 'refused'): string[] {
  const of_kind = LIMITS.filter(({ metric }) => metric === `tidemark_http_connections_${kind}_total`)
  return of_kind.map(({ name }) => name.replace('connections.', '')).sort()
}

/** Labels of a metric's series. */
function seriesOf(text: string, metric: string): string[] {
  return [...text.matchAll(new RegExp(`^${metric}\\{limit="(\\w+)"\\} 0$`, 'gm'))].map(([, label]) => label!).sort()
}

/** Metrics of the engine's process and of the webhook sender, which needs a trading database. */
const ELSEWHERE = /^tidemark_(engine|webhook)_/

test('a running API has every metric that the table of limits names, but for those of engine and webhooks', async () => {
  const api = await serveApi({
    warehouse_root: join(tempFolder(), 'warehouse'),
    host: '127.0.0.1',
    port: 0,
    environment: 'test',
    metrics_port: 0,
  })
  try {
    const text = await (await fetch(api.metrics_url!)).text()
    const metrics = new Set(LIMITS.flatMap(({ metric }) => metric ?? []))
    const named = [...metrics].filter((name) => !ELSEWHERE.test(name))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
    expect(text).toContain('tidemark_history_reads_refused_total{cause="caller"} 0')
    expect(text).toMatch(/tidemark_http_connections 0/)
    expect(seriesOf(text, 'tidemark_http_connections_timed_out_total')).toEqual(limitsOf('timed_out'))
    expect(seriesOf(text, 'tidemark_http_connections_refused_total')).toEqual(limitsOf('refused'))
  } finally {
    await api.close()
  }
})
