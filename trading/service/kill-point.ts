import { ServiceError } from '../../primitives/errors.ts'

/** Points where tests kill the process as a crash would: signal 9, nothing is closed. */
export const KILL_POINTS = ['after-lease', 'mid-write', 'before-commit', 'after-commit-before-ack'] as const
type KillPointName = (typeof KILL_POINTS)[number]

/** Called at a named point of the engine; the process may end there. */
export type KillPoint = (name: KillPointName) => Promise<void>

/**
 * Reads `NAME` or `NAME:COUNT`: the process ends the COUNTth time it reaches that point; '': never.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function killPoint(text: string): KillPoint {
  const [name = '', count = '1'] = text.split(':')
  const times = /^[1-9]\d{0,8}$/.test(count) ? Number.parseInt(count, 10) : 0
  if (text !== '' && (times === 0 || !(KILL_POINTS as readonly string[]).includes(name))) {
    const allowed = `${KILL_POINTS.join(', ')}, each with :COUNT where wanted`
    throw new ServiceError('VALIDATION_USAGE_INVALID', `killpoint is ${text}; allowed: ${allowed}`)
  }
  let seen = 0
  return async (reached) => {
    if (reached !== name) return
    seen += 1
    if (seen !== times) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
}
