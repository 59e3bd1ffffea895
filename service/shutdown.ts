/** Shutdown request of a run by SIGINT (Ctrl-C) or SIGTERM. */
export type Stop = {
  /** Aborted by the first signal; operations check it between commits. */
  readonly signal: AbortSignal
  /** 130 or 143 after a signal, null before. */
  exitCode(): number | null
  /** Resolves with the exit code if the work does not end within the grace time; commits are atomic, so exiting is safe. */
  readonly overdue: Promise<number>
}

/** The used part of `process`. */
export type SignalSource = {
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): void
  readonly stderr: { write(text: string): unknown }
}

/** Exit codes of processes ended by a signal, by the convention of shells. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const
/** Time that work has to end after the first signal. */
export const STOP_GRACE_MS = 10_000
/** Signals within this time count as one: a terminal sends Ctrl-C to the whole process group, and `npm start` forwards it as well. */
export const SAME_SIGNAL_MS = 1_000

/** Requests a stop on the first signal and waits up to `grace_ms`; a later second signal exits at once. */
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
    if (name === 'SIGINT') source.stderr.write('\nstopping; press Ctrl-C again to stop at once\n')
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

/** Returns a signal that is aborted when standard input ends, which is when the parent process has ended. */
export function standardInputEnded(): AbortSignal {
  const ended = new AbortController()
  process.stdin.on('end', () => ended.abort())
  process.stdin.on('error', () => ended.abort())
  process.stdin.resume()
  return ended.signal
}
