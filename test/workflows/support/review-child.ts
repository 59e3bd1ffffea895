import { appendFileSync } from 'node:fs'
import { Context } from '@temporalio/activity'
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { runWorker } from '../../../workflows/worker/run-worker.ts'
import { CACHE } from './cache.ts'
import { fakePorts } from './fake-ports.ts'

/** A worker as a process of its own that ends itself, as SIGKILL would, at one of its steps. Says `ready` when it works. */
export type ReviewChildOptions = {
  readonly address: string
  readonly root: string
  readonly home: string
  /** The place between two steps at which it ends; null: never. */
  readonly dies_at: string | null
  /** Takes a line for each end: the place. */
  readonly log: string
}

const { address, root, home, dies_at, log } = JSON.parse(process.argv[2]!) as ReviewChildOptions

/** One place between two steps of the work. */
function between(place: string): void {
  if (place !== dies_at) return
  appendFileSync(log, `${place}\n`)
  process.kill(process.pid, 'SIGKILL')
}

const opened = await openWarehouse({ root })
const warehouse: Warehouse = {
  ...opened,
  append: async (table, rows, options) => {
    between(`before ${table}`)
    const done = await opened.append(table, rows, options)
    between(`after ${table}`)
    return done
  },
}
const inbound: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    const result = await next(input)
    between(`before ${Context.current().info.activityType} tells`)
    return result
  },
}
await runWorker({
  server: { address, ui_url: null, namespace: 'default' },
  cache: CACHE,
  queues: ['bulk'],
  ports: fakePorts(warehouse, home),
  signal: new AbortController().signal,
  on_ready: () => process.stdout.write('ready\n'),
  interceptors: { activity: [() => ({ inbound })] },
})
