import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureServerBinary } from '../../workflows/server/ensure-binary.ts'
import { startTopology } from './start-topology.ts'

/** Starts what deploy/compose.yaml describes as processes of this machine, with the sandbox of a home, which is made if it is new. */
const home = process.argv[2]
if (home === undefined) {
  process.stderr.write('usage: npm run topology -- HOME (a new folder, or one of an earlier run)\n')
  process.exit(2)
}
const folder = join(resolve(home), 'topology')
mkdirSync(folder, { recursive: true, mode: 0o700 })
const ending = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => ending.abort())
const { path } = await ensureServerBinary({
  cli_path: process.env.TEMPORAL_CLI_PATH || null,
  path: process.env.PATH ?? '',
  cache: process.env.TIDEMARK_CACHE || join(homedir(), '.cache', 'tidemark'),
  on_step: (step) => process.stderr.write(`${step}\n`),
})
const environment = process.env.TIDEMARK_ENVIRONMENT || 'sandbox'
const topology = await startTopology({ home: resolve(home), folder, number: 30, temporal_binary: path, environment })
for (const { name, health_url } of topology.processes.values()) process.stdout.write(`${name} ${health_url ?? ''}\n`)
process.stdout.write(`proxy ${topology.proxy_url}, certificate ${topology.proxy_certificate}\n`)
if (!ending.signal.aborted) await once(ending.signal, 'abort')
await topology.stop()
