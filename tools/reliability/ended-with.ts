import { EXIT_CODES, SAME_SIGNAL_MS } from '../../service/shutdown.ts'

/** Resources that must not outlive this process, newest last. */
const open: (() => Promise<void>)[] = []
let interrupted_at: number | null = null

/**
 * Carries out `work`, then `close`, however it ends: SIGINT and SIGTERM too, which would leave servers behind that are not in this
 * process's group. What is open is closed newest first, and the process ends with 130 or 143; a later second signal ends it at once.
 * @param close called once; where something is still starting, it waits for it
 */
export async function endedWith<T>(close: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  let closed: Promise<void> | null = null
  const closeOnce = () => {
    closed ??= close()
    return closed
  }
  if (open.length === 0) for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, interrupt)
  open.push(closeOnce)
  try {
    return await work()
  } finally {
    // Whatever fails because its ground is taken away says nothing: the signal ends the process.
    if (interrupted_at !== null) await new Promise(() => undefined)
    open.splice(open.indexOf(closeOnce), 1)
    if (open.length === 0) for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt)
    await closeOnce()
  }
}

function interrupt(name: keyof typeof EXIT_CODES): void {
  if (interrupted_at !== null) {
    if (performance.now() - interrupted_at >= SAME_SIGNAL_MS) process.exit(EXIT_CODES[name])
    return
  }
  interrupted_at = performance.now()
  void closeAll().finally(() => process.exit(EXIT_CODES[name]))
}

async function closeAll(): Promise<void> {
  for (const close of [...open].reverse()) {
    await close().catch((error: unknown) => process.stderr.write(`not ended in order: ${error}\n`))
  }
}
