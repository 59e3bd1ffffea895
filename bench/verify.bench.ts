/**
 * Measures the verification of order signatures, from body to verdict: our verifier with one and two threads, beside viem's
 * recoverTypedDataAddress over the same messages. The limit is libsecp256k1 alone over ready digests. In CPU of the whole process,
 * taking turns, after all have found the same signers.
 * Goal: 25 times viem on one core.
 */

import { isDeepStrictEqual } from 'node:util'
import secp256k1 from 'secp256k1'
import { recoverTypedDataAddress } from 'viem'
import { invariant } from '../primitives/errors.ts'
import { orderMessage } from '../protocol/order/order-terms.ts'
import { seededRandom } from '../test/support/random.ts'
import { keccakText, type SignatureCase, signatureCase, typedOrder } from '../test/support/trading/signature-cases.ts'
import { bytesOf, hexOf } from '../trading/auth/keccak.ts'
import { createNativeRecover } from '../trading/auth/native-recover.ts'
import { createSignatureVerifier, type SignatureVerifier } from '../trading/auth/signature-verifier.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'

const ORDERS = 2_000
/** viem takes some 2 ms per order, so it gets fewer orders; its time is counted per order. */
const VIEM_ORDERS = 200
const ROUNDS = 3
/** Orders in flight at once, as from a batch or 64 connections. */
const TOGETHER = 64

type Timed = { readonly cpu_us: number; readonly wall_us: number; readonly found: readonly string[] }

export async function run(): Promise<BenchRow[]> {
  const cases = validCases(ORDERS)
  const verifiers = await Promise.all(
    [1, 2].map((threads) => createSignatureVerifier({ environment: 'sandbox', recovery: 'native', threads })),
  )
  const [one, two] = verifiers as [SignatureVerifier, SignatureVerifier]
  const work = {
    viem: () => byViem(cases.slice(0, VIEM_ORDERS)),
    bare: await bareRecover(cases),
    one: () => byVerifier(one, cases),
    two: () => byVerifier(two, cases),
  }
  try {
    const signers = cases.map(({ order }) => order.signer)
    for (const judge of Object.values(work)) {
      const { found } = await judge()
      invariant(isDeepStrictEqual(found, signers.slice(0, found.length)), 'everybody finds the same signers')
    }
    const rates = await ratesOf(work)
    const details = { orders: ORDERS, viem_orders: VIEM_ORDERS, ...perSecond(rates) }
    const ratio = (a: Rates, b: Rates, kind: keyof Rates) =>
      rounded(median(a[kind].map((rate, i) => rate / b[kind][i]!)))
    return [
      {
        figure: 'verify.native',
        value: ratio(rates.one, rates.viem, 'cpu'),
        unit: 'x',
        goal: { at_least: 25 },
        details,
      },
      {
        figure: 'verify.of_bare_recover',
        value: ratio(rates.one, rates.bare, 'cpu'),
        unit: 'x',
        goal: null,
        details: {},
      },
      { figure: 'verify.two_threads', value: ratio(rates.two, rates.one, 'wall'), unit: 'x', goal: null, details: {} },
    ]
  } finally {
    await Promise.all(verifiers.map((verifier) => verifier.close()))
  }
}

type Rates = { readonly cpu: number[]; readonly wall: number[] }

/** Orders per second of CPU and of wall time, by round. */
async function ratesOf<K extends string>(work: Record<K, () => Promise<Timed>>): Promise<Record<K, Rates>> {
  const names = Object.keys(work) as K[]
  const rates = Object.fromEntries(names.map((name) => [name, { cpu: [], wall: [] }])) as unknown as Record<K, Rates>
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) {
      const { cpu_us, wall_us, found } = await work[name]()
      rates[name].cpu.push((found.length / cpu_us) * 1_000_000)
      rates[name].wall.push((found.length / wall_us) * 1_000_000)
    }
  }
  return rates
}

function perSecond(rates: Readonly<Record<string, Rates>>): Record<string, number> {
  const named = Object.entries(rates).flatMap(([name, { cpu, wall }]) => [
    [`${name}_per_cpu_s`, Math.round(median(cpu))],
    [`${name}_per_s`, Math.round(median(wall))],
  ])
  return Object.fromEntries(named)
}

function validCases(count: number): SignatureCase[] {
  const random = seededRandom(1)
  const cases: SignatureCase[] = []
  while (cases.length < count) {
    const one = signatureCase(random)
    if (one.mutation === 'none') cases.push(one)
  }
  return cases
}

async function byViem(cases: readonly SignatureCase[]): Promise<Timed> {
  return timed(async () => {
    const found: string[] = []
    for (const { order, signature } of cases) {
      const typed = typedOrder(orderMessage(order, keccakText))
      found.push(await recoverTypedDataAddress({ ...typed, signature: signature as `0x${string}` }))
    }
    return found.map((address) => address.toLowerCase())
  })
}

async function byVerifier(verifier: SignatureVerifier, cases: readonly SignatureCase[]): Promise<Timed> {
  return timed(async () => {
    const found: string[] = []
    for (let at = 0; at < cases.length; at += TOGETHER) {
      const some = cases.slice(at, at + TOGETHER)
      const outcomes = await Promise.all(
        some.map(({ order, signature }) => verifier.verifyOrder({ order, signature, signature_type: 'eoa' })),
      )
      for (const { signer, verdict } of outcomes) found.push(verdict === null ? signer : 'refused')
    }
    return found
  })
}

/** Times libsecp256k1 over ready digests in this thread; the signers are worked out once, outside the time. */
async function bareRecover(cases: readonly SignatureCase[]): Promise<() => Promise<Timed>> {
  const verifier = await createSignatureVerifier({ environment: 'sandbox', recovery: 'viem' })
  const recover = await createNativeRecover()
  const tasks: { digest: Uint8Array; signature: Uint8Array }[] = []
  for (const { order, signature } of cases) {
    const { digest } = await verifier.verifyOrder({ order, signature: '0x', signature_type: 'eoa' })
    tasks.push({ digest: bytesOf(digest), signature: bytesOf(signature) })
  }
  return async () => {
    const { cpu_us, wall_us } = await timed(async () =>
      tasks.map(({ digest, signature }) =>
        secp256k1.ecdsaRecover(signature.subarray(0, 64), signature[64]! - 27, digest, false).length.toString(),
      ),
    )
    return { cpu_us, wall_us, found: tasks.map(({ digest, signature }) => hexOf(recover(digest, signature)!)) }
  }
}

async function timed(work: () => Promise<readonly string[]>): Promise<Timed> {
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  const found = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpu_us: user + system, wall_us: (performance.now() - wall) * 1000, found }
}
