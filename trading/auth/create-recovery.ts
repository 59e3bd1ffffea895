import { invariant } from '../../primitives/errors.ts'
import { checkedEoaSignature, type EoaSignature } from './eoa-signature.ts'
import { bytesOf } from './keccak.ts'
import { createNativeRecover } from './native-recover.ts'
import { createRecoverPool } from './recover-pool.ts'
import type { Recovery } from './recovery.ts'

/**
 * `native`: libsecp256k1 in threads; `viem`: JavaScript in the caller's thread; `auto`: native where this machine supports it,
 * else viem.
 */
export type RecoveryKind = 'auto' | 'native' | 'viem'

/** A signature whose signer is known: the test vector of docs/signing.md. */
const KNOWN = {
  digest: bytesOf('0x7741cb9dc8c3c924b7c2a550279f0a5422bdae38a13f67d2978c98d3e4b06644'),
  signature: checkedEoaSignature(
    '0x7842686d2a3c793612e2383d83fb88b683a2b7508bb270235c53c7a38598f3e619d545251c25e4f9462f0932c86f37a50796de136cebfee6c95380a56d55e6f61c',
  ) as EoaSignature,
  signer: '0x1a642f0e3c3af545e7acbd38b07251b3990914f1',
}

/**
 * Creates a recovery and checks it: each thread has recovered a known signer, so none of them is still starting.
 * @param threads  of native recovery, at least 1
 * @throws the error of loading the native binding, where it was asked for by name; InvariantError: it recovers wrongly
 */
export async function createRecovery(kind: RecoveryKind, threads: number): Promise<Recovery> {
  if (kind === 'native' || (kind === 'auto' && (await isNativeThere()))) return nativeRecovery(threads)
  const viem = await loadViem()
  await checkRecovery(viem, 1)
  return viem
}

async function nativeRecovery(threads: number): Promise<Recovery> {
  const pool = createRecoverPool(threads, lazyViem(), { ofOne: await createNativeRecover() })
  // A single task would be answered in this thread.
  await checkRecovery(pool, Math.max(2, threads))
  return pool
}

async function checkRecovery(recovery: Recovery, count: number): Promise<void> {
  const tasks = Array.from({ length: count }, () => recovery.recover(KNOWN.digest, KNOWN.signature))
  const found = await Promise.all(tasks)
  invariant(
    found.every((signer) => signer === KNOWN.signer),
    `the signer of a known signature was recovered as ${found.join(' and ')}`,
  )
}

async function isNativeThere(): Promise<boolean> {
  return createNativeRecover().then(
    () => true,
    () => false,
  )
}

async function loadViem(): Promise<Recovery> {
  const { createViemRecovery } = await import('./viem-recovery.ts')
  return createViemRecovery()
}

/** Loads viem on first use, because it is large. */
function lazyViem(): Recovery {
  return {
    recover: async (digest, signature) => (await loadViem()).recover(digest, signature),
    close: async () => undefined,
  }
}
