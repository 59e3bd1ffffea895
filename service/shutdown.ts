/** How a run learns that it should end early: SIGINT (Ctrl-C) or SIGTERM. */
export type Stop = {
  /** Aborted at the first signal: operations look at it between two commits. */
  readonly signal: AbortSignal
  /** 130 or 143 once a signal came, null before. */
  exitCode(): number | null
  /** Resolves with the exit code when the work has not ended within the grace; commits are atomic, so leaving is safe. */
  readonly overdue: Promise<number>
}

/** The part of `process` that is used here. */
export type SignalSource = {
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): void
  readonly stderr: { write(text: string): unknown }
}

/** Of a process that a signal has ended, as shells tell it. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const
export const STOP_GRACE_MS = 10_000
/** A terminal gives Ctrl-C to every process of its group, and `npm start` hands on what it was given: that is one signal, not two. */
export const SAME_SIGNAL_MS = 1_000

/** First signal: ask the work to stop, wait for it up to `grace_ms`. A second one, later: end at once. */
export function listenForStop(source: SignalSource, grace_ms: number = STOP_GRACE_MS): Stop {
  const controller = new AbortController()
  let exit_code: number | null = null
  let stopped_at = 0
  const { promise: overdue, resolve } = withResolvers<number>()
  const onSignal = (name: keyof typeof EXIT_CODES) => () => {
    if (exit_code !== null) {
      if (performance.now() - stopped_at >= SAME_SIGNAL_MS) source.exit(EXIT_CODES[name])
      return
    }
    stopped_at = performance.now()
    exit_code = EXIT_CODES[name]
    if (name === 'SIGINT') source.stderr.write('\nstopping cleanly; press Ctrl-C again to stop at once\n')
    setTimeout(resolve, grace_ms, exit_code)
    controller.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) source.on(name, onSignal(name))
  return { signal: controller.signal, exitCode: () => exit_code, overdue }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Aborted when whoever started this process has ended. */
export function standardInputEnded(): AbortSignal {
  const ended = new AbortController()
  process.stdin.on('end', () => ended.abort())
  process.stdin.on('error', () => ended.abort())
  process.stdin.resume()
  return ended.signal
}
