import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveApi } from '../../api/serve.ts'
import { LIMITS } from '../../protocol/limit-table.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a running API has every metric that the table of limits names, but for those of the engine', async () => {
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
    const named = [...metrics].filter((name) => !name.startsWith('tidemark_engine_'))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
    expect(text).toContain('tidemark_history_reads_refused_total{cause="caller"} 0')
    expect(text).toMatch(/tidemark_http_connections 0/)
  } finally {
    await api.close()
  }
})
