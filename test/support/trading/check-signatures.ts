import { recoverTypedDataAddress } from 'viem'
import { orderMessage } from '../../../protocol/order/order-terms.ts'
import type { SignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import type { SignatureOutcome } from '../../../trading/auth/typed-subject.ts'
import { seededRandom } from '../random.ts'
import { keccakText, type SignatureCase, signatureCase, typedOrder } from './signature-cases.ts'

export type SignatureReport = {
  readonly cases: number
  readonly accepted: number
  readonly by_mutation: Readonly<Record<string, number>>
  /** Sentences about cases that were judged otherwise than they should; none where all is well. */
  readonly violations: readonly string[]
}

/** Cases that are verified at once. */
const TOGETHER = 100
const VIOLATIONS_MAX = 10

/**
 * Judges random valid and changed signatures by a verifier and by viem, which hashes and recovers by itself, and compares both with
 * what the change must lead to.
 */
export async function checkSignatures(
  verifier: SignatureVerifier,
  seed: number,
  cases: number,
): Promise<SignatureReport> {
  const random = seededRandom(seed)
  const by_mutation: Record<string, number> = {}
  const violations: string[] = []
  let accepted = 0
  for (let done = 0; done < cases && violations.length < VIOLATIONS_MAX; done += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, cases - done) }, () => signatureCase(random))
    const outcomes = await Promise.all(some.map((one) => judge(verifier, one)))
    for (const [n, one] of some.entries()) {
      by_mutation[one.mutation] = (by_mutation[one.mutation] ?? 0) + 1
      accepted += outcomes[n]!.verdict === null ? 1 : 0
      const sentence = await violationOf(one, outcomes[n]!)
      if (sentence !== null) violations.push(`seed ${seed}, case ${done + n}, ${one.mutation}: ${sentence}`)
    }
  }
  return { cases, accepted, by_mutation, violations }
}

function judge(verifier: SignatureVerifier, { order, signature }: SignatureCase): Promise<SignatureOutcome> {
  return verifier.verifyOrder({ order, signature, signature_type: 'eoa' })
}

/** null: judged as it must be. */
async function violationOf(one: SignatureCase, { verdict }: SignatureOutcome): Promise<string | null> {
  const code = verdict?.code ?? 'valid'
  const fits = one.expected === 'refused' ? verdict !== null : code === one.expected
  if (!fits) return `expected ${one.expected}, found ${code} (${verdict?.message})`
  // Forms that viem takes besides are refused before anybody recovers.
  if (code === 'SIGNATURE_INVALID') return null
  const recovered = await viemSigner(one)
  const found = code === 'valid' ? one.order.signer.toLowerCase() : verdict?.facts?.recovered_signer
  return recovered === found ? null : `viem recovers ${recovered}, found ${found}`
}

async function viemSigner({ order, signature }: SignatureCase): Promise<string> {
  const typed = typedOrder(orderMessage(order, keccakText))
  return (await recoverTypedDataAddress({ ...typed, signature: signature as `0x${string}` })).toLowerCase()
}
