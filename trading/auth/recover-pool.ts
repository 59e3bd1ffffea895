import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../primitives/errors.ts'
import type { EoaSignature } from './eoa-signature.ts'
import { hexOf } from './keccak.ts'
import type { NativeRecover } from './native-recover.ts'
import { ANSWER_BYTES, TASK_BYTES } from './recover-messages.ts'
import type { Recovery } from './recovery.ts'

const SCRIPT = new URL('./recover-thread.mjs', import.meta.url)

/** Largest number of tasks in a job: some milliseconds of a thread, so that a burst is spread over all threads. */
const JOB_TASKS_MAX = 64
/** Longest queue, in tasks: about a second of one thread. */
const QUEUE_MAX = 20_000

type Task = {
  readonly digest: Uint8Array
  readonly signature: EoaSignature
  readonly resolve: (address: string | null) => void
  readonly reject: (error: unknown) => void
}
type Thread = { worker: Worker | null; tasks: readonly Task[] }

export type RecoverPoolOptions = {
  /** Script of a thread; it answers each job as recover-worker.ts does. */
  readonly script?: URL
  /** Answers a single task while a thread is idle; left out: threads answer everything. */
  readonly ofOne?: NativeRecover
}

/**
 * Creates a recovery that runs in threads. A thread has one job at a time. Tasks that arrive meanwhile, and those of one turn
 * of the event loop, are sent together: jobs grow with the load, and no task waits for others. A single task is answered here,
 * because the round trip to a thread costs this thread nearly as much. A thread that ends is replaced, and `fallback` answers
 * its job.
 * @param threads  at least 1
 */
export function createRecoverPool(
  threads: number,
  fallback: Recovery,
  { script = SCRIPT, ofOne }: RecoverPoolOptions = {},
): Recovery {
  const pool: Thread[] = Array.from({ length: threads }, () => ({ worker: null, tasks: [] }))
  const queue: Task[] = []
  let scheduled = false
  let closed = false

  /** Distributes queued tasks equally over the idle threads. */
  const dispatch = (): void => {
    scheduled = false
    const free = pool.filter(({ tasks }) => tasks.length === 0)
    if (ofOne !== undefined && queue.length === 1 && free.length > 0) {
      const { digest, signature, resolve } = queue.pop()!
      resolve(addressOf(ofOne(digest, signature)))
      return
    }
    for (const [n, thread] of free.entries()) {
      const share = Math.ceil(queue.length / (free.length - n))
      if (share > 0) begin(thread, queue.splice(0, Math.min(share, JOB_TASKS_MAX)))
    }
  }
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(dispatch)
  }
  const begin = (thread: Thread, tasks: readonly Task[]): void => {
    thread.tasks = tasks
    thread.worker ??= started(thread)
    thread.worker.ref() // a process that waits for an answer does not end
    const job = jobOf(tasks)
    thread.worker.postMessage(job, [job.buffer])
  }
  const started = (thread: Thread): Worker => {
    const worker = new Worker(script, { execArgv: [] })
    worker.on('message', (answer: Uint8Array) => {
      const tasks = released(thread)
      for (const [n, task] of tasks.entries()) task.resolve(addressAt(answer, n))
      // Tasks of the same turn join the queue first: each job wakes two threads, however small it is.
      schedule()
    })
    worker.on('error', () => undefined) // it ends: `exit` follows
    worker.on('exit', () => {
      thread.worker = null
      for (const task of released(thread)) fallback.recover(task.digest, task.signature).then(task.resolve, task.reject)
      if (!closed) schedule()
    })
    return worker
  }

  return {
    recover: (digest, signature) =>
      new Promise((resolve, reject) => {
        if (closed || queue.length >= QUEUE_MAX) {
          reject(new ServiceError('SERVICE_UNAVAILABLE', 'too many signatures are waiting; try again'))
          return
        }
        queue.push({ digest, signature, resolve, reject })
        schedule()
      }),
    close: async () => {
      closed = true
      await Promise.all(pool.map(({ worker }) => worker?.terminate()))
      for (const { reject } of queue.splice(0))
        reject(new ServiceError('SERVICE_UNAVAILABLE', 'the service is stopping'))
    },
  }
}

function released(thread: Thread): readonly Task[] {
  const { tasks } = thread
  thread.tasks = []
  thread.worker?.unref()
  return tasks
}

function jobOf(tasks: readonly Task[]): Uint8Array<ArrayBuffer> {
  const job = new Uint8Array(tasks.length * TASK_BYTES)
  for (const [n, { digest, signature }] of tasks.entries()) {
    job.set(digest, n * TASK_BYTES)
    job.set(signature, n * TASK_BYTES + 32)
  }
  return job
}

function addressAt(answer: Uint8Array, n: number): string | null {
  const at = n * ANSWER_BYTES
  return addressOf(answer[at] === 1 ? answer.subarray(at + 1, at + ANSWER_BYTES) : null)
}

function addressOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : hexOf(bytes)
}
