import { expect, test, vi } from 'vitest'
import { checkedEoaSignature, type EoaSignature } from '../../../trading/auth/eoa-signature.ts'
import { bytesOf } from '../../../trading/auth/keccak.ts'
import { VECTOR } from '../../support/trading/signing-world.ts'

vi.mock('../../../trading/auth/native-recover.ts', () => ({
  createNativeRecover: async () => {
    throw new TypeError('No native build was found')
  },
}))

const { createRecovery } = await import('../../../trading/auth/create-recovery.ts')

test('a machine without the native binding recovers by viem, unless native was asked for by name', async () => {
  const recovery = await createRecovery('auto', 2)
  const signature = checkedEoaSignature(VECTOR.signature) as EoaSignature
  expect(await recovery.recover(bytesOf(VECTOR.digest), signature)).toBe(VECTOR.signer.toLowerCase())
  await recovery.close()
  await expect(createRecovery('native', 1)).rejects.toThrow('No native build was found')
})
