// The measured part of a backfill in a process of its own: `worker` serves a Temporal server until its standard input ends,
// `here` runs one backfill without a server. Argument: one BackfillProcess as JSON.
import { once } from 'node:events'
import { runBackfill } from '../../operations/backfill/run-backfill.ts'
import type { BackfillRunPorts } from '../../operations/backfill/run-types.ts'
import { toMicros } from '../../primitives/instants.ts'
import { fakePorts } from '../../test/workflows/support/fake-ports.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { runWorker } from '../../workflows/worker/run-worker.ts'
import type { BackfillProcess } from './start-backfill-process.ts'

const given = JSON.parse(process.argv[2]!) as BackfillProcess
if (given.one_thread === true) await import('../../test/support/one-thread.ts')
const clock = given.now === null ? {} : { now: async () => toMicros(given.now!), without_clock_guards: true }
const warehouse = await openWarehouse({ root: given.root, ports: clock })
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const { connectorOf, ...worker_ports } = fakePorts(warehouse, given.home)

if (given.kind === 'here') {
  const ports: BackfillRunPorts = { warehouse, connectorOf, home: given.home }
  const started = performance.now()
  await runBackfill(given.subject, ports)
  print({ seconds: (performance.now() - started) / 1000 })
} else {
  const stop = new AbortController()
  process.stdin.resume()
  void once(process.stdin, 'end').then(() => stop.abort())
  await runWorker({
    server: { address: given.address, ui_url: null, namespace: 'default' },
    cache: given.cache,
    queues: ['bulk'],
    ports: { ...worker_ports, connectorOf },
    signal: stop.signal,
    on_ready: () => print({ ready: true }),
  })
}
await warehouse.close()
const { user, system } = process.cpuUsage()
print({ cpu_seconds: (user + system) / 1e6 })
process.exit(0)
