import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../primitives/errors.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import type { ImportJob, ImportMessage } from './import-in-worker.ts'
import { importPayloads } from './import-payloads.ts'
import type { ImportedMarket } from './import-report.ts'
import { failureOf } from './thread-messages.ts'

/** The thread in which a large archive's records are read and stored; its payloads are kept in another one beside it. */

const port = parentPort
invariant(port !== null, 'import-worker.ts runs in a thread of its own')
const tell = (message: ImportMessage) => port.postMessage(message)
const { root, ...job } = workerData as ImportJob

const stopping = new AbortController()
void once(port, 'message').then(() => stopping.abort())

async function work() {
  const warehouse = await openWarehouse({ root })
  try {
    const on_progress = (progress: Extract<ImportMessage, { progress: unknown }>['progress']) => tell({ progress })
    const on_markets = (markets: readonly ImportedMarket[]) => tell({ markets })
    return await importPayloads({ ...job, warehouse, signal: stopping.signal, on_progress, on_markets })
  } finally {
    await warehouse.close()
  }
}

void work()
  .then(
    (done) => tell({ done }),
    (error: unknown) => tell({ failed: failureOf(error) }),
  )
  .finally(() => port.close())
