import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ERROR_CODES } from '../../../primitives/error-codes.ts'
import { createRandom } from '../../../simulator/world/random.ts'
import {
  type ServeAccountsOptions,
  type ServedAccounts,
  serveAccounts,
} from '../../../test/support/trading/served-accounts.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { sendWire, type WireAnswer } from '../wire-request.ts'
import type { Attack, Attacks } from './attack.ts'
import { capture, makeNarrowKeys } from './capture.ts'
import { readEffects } from './effects.ts'
import { ORDER_ATTACKS } from './order-attacks.ts'
import { REQUEST_ATTACKS } from './request-attacks.ts'

export type AttackReport = {
  readonly lane: 'sec:replay'
  readonly seed: number
  readonly kinds: number
  readonly attacks: number
  /** By the code that was answered. */
  readonly answers: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

/** Every kind by its name. */
export const ATTACKS: Attacks = { ...REQUEST_ATTACKS, ...prefixed('order_', ORDER_ATTACKS) }

type Options = {
  readonly seed: number
  readonly count: number
  readonly attacks?: Attacks
  /** Options of the attacked service. */
  readonly serving?: ServeAccountsOptions
}

/**
 * Mutates requests that were accepted, kind after kind, against an API and engine over an empty database, until `count` of them were
 * sent or one did what it must not: be answered otherwise, or have an effect.
 */
export async function runAttacks(pool: Pool, options: Options): Promise<AttackReport> {
  const served = await serveAccounts(pool, options.serving)
  const agent = new Agent({ keepAlive: true })
  try {
    await served.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = served.app.server.address() as AddressInfo
    return await attackAll(served, agent, `http://127.0.0.1:${port}`, options)
  } finally {
    agent.destroy()
    await served.close()
  }
}

async function attackAll(
  served: ServedAccounts,
  agent: Agent,
  base_url: string,
  { seed, count, attacks = ATTACKS }: Options,
): Promise<AttackReport> {
  const narrow = await makeNarrowKeys(served)
  const answers: Record<string, number> = {}
  const violations: string[] = []
  const report = { lane: 'sec:replay', seed, kinds: Object.keys(attacks).length, answers, violations } as const
  const random = createRandom(seed, 'replay')
  let sent = 0
  while (sent < count) {
    const target = { served, narrow, captured: await capture(agent, base_url, served), random }
    let before = await readEffects(served.pool)
    for (const [kind, attack] of Object.entries(attacks)) {
      if (sent === count) break
      const answer = await sendWire(agent, base_url, await attack.make(target))
      const after = await readEffects(served.pool)
      sent += 1
      const code = answer.code ?? (answer.replayed ? 'REPLAYED' : 'ACCEPTED')
      answers[code] = (answers[code] ?? 0) + 1
      const faults = faultsOf(attack, answer, code, before, after).map((fault) => `${kind} (attack ${sent}): ${fault}`)
      violations.push(...faults)
      if (faults.length > 0) return { ...report, attacks: sent }
      before = after
    }
  }
  violations.push(...(await brokenInvariants(served.pool)))
  return { ...report, attacks: sent }
}

function faultsOf(
  { expected }: Attack,
  { status, text }: WireAnswer,
  code: string,
  before: string,
  after: string,
): string[] {
  const right = expected === 'REPLAYED' ? status === 201 : status === statusOf(expected)
  const told = code === expected && right ? [] : [`answered ${status} ${text}, expected ${expected}`]
  return before === after ? told : [...told, `had an effect: ${before} became ${after}`]
}

/** Returns the expected status. A resource named in a body and not found is 422, in a path 404. */
function statusOf(expected: Exclude<Attack['expected'], 'REPLAYED'>): number {
  return expected === 'ACCOUNT_NOT_FOUND' ? 422 : ERROR_CODES[expected].status
}

async function brokenInvariants(pool: Pool): Promise<string[]> {
  const broken = (await auditTrading(pool)).filter(({ violations }) => violations.length > 0)
  return broken.map(({ invariant_id, violations }) => `${invariant_id}: ${JSON.stringify(violations[0])}`)
}

function prefixed(prefix: string, attacks: Attacks): Attacks {
  const named = (kind: string) => (kind.startsWith(prefix) ? kind : `${prefix}${kind}`)
  return Object.fromEntries(Object.entries(attacks).map(([kind, attack]) => [named(kind), attack]))
}
